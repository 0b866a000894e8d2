// `idJsonSchema`: what it accepts, and what Fastify makes of it on both ways.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { idJsonSchema, parseId } from 'mintid'

const HIGHEST = 2n ** 63n - 2n
const matches = (text) =>
  new RegExp(idJsonSchema.pattern, 'u').test(text) && text.length <= idJsonSchema.maxLength

/** An application with one route whose parameter `id` is of the schema. */
function application(t, options) {
  const app = Fastify(options)
  t.after(() => app.close())
  const schema = { type: 'object', required: ['id'], properties: { id: idJsonSchema } }
  app.get('/orders/:id', { schema: { params: schema } }, async ({ params }) => params)
  app.post('/orders', { schema: { body: schema } }, async ({ body }) => body)
  return app
}

/** What a route with this schema of its answer says of a value. */
async function answered(t, schema, value) {
  const app = Fastify()
  t.after(() => app.close())
  const response = { 200: { type: 'object', properties: { value: schema } } }
  app.get('/', { schema: { response } }, async () => ({ value }))
  const { statusCode, body } = await app.inject('/')
  return statusCode === 200 ? body : statusCode
}

test('it is text of digits, and cannot be changed by who uses it', () => {
  assert.equal(idJsonSchema.type, 'string')
  assert.ok(Object.isFrozen(idJsonSchema) && Object.isFrozen(idJsonSchema.examples))
  assert.ok(idJsonSchema.examples.every(matches))
  assert.deepEqual(JSON.parse(JSON.stringify(idJsonSchema)), { ...idJsonSchema })
})

test('it accepts what parseId accepts', () => {
  for (const text of ['0', '1', '9', '10', '42', '9007199254740993', String(HIGHEST)]) {
    assert.ok(matches(text), text)
    assert.equal(String(parseId('orders', text)), text)
  }
})

test('it refuses what parseId refuses, but for the bound of 2^63', () => {
  const bad = ['', ' ', ' 12 ', '12 ', '+1', '-1', '01', '00', '0x10', '1e3', '1.0', '1n', '1_000']
  for (const text of [...bad, '１', '٣', '12\n', 'a', '10000000000000000000']) {
    assert.ok(!matches(text), JSON.stringify(text))
    assert.throws(() => parseId('orders', text), { code: 'ERR_MINTID_ID_INVALID' })
  }
  const above = String(2n ** 63n)
  assert.ok(matches(above))
  assert.throws(() => parseId('orders', above), { code: 'ERR_MINTID_ID_INVALID' })
})

test('in a path, Fastify refuses what is no id', async (t) => {
  const app = application(t)
  const get = (text) => app.inject(`/orders/${encodeURIComponent(text)}`)
  assert.deepEqual((await get(String(HIGHEST))).json(), { id: String(HIGHEST) })
  for (const text of ['', '0x10', ' 12 ', '-1', '01', '1e3', '10000000000000000000']) {
    const { statusCode, body } = await get(text)
    assert.equal(statusCode, 400, text)
    assert.equal(JSON.parse(body).code, 'FST_ERR_VALIDATION')
  }
})

test('in a body, Fastify makes text of a rounded number unless coercion is off', async (t) => {
  const post = (app) =>
    app.inject({
      method: 'POST',
      url: '/orders',
      headers: { 'content-type': 'application/json' },
      payload: '{"id":9007199254740993}',
    })
  assert.deepEqual((await post(application(t))).json(), { id: '9007199254740992' })
  const strict = application(t, { ajv: { customOptions: { coerceTypes: false } } })
  assert.equal((await post(strict)).statusCode, 400)
})

for (const value of [0n, 1n, 9007199254740993n, HIGHEST]) {
  test(`${value} is written as text, alone, where it may be null and in lists`, async (t) => {
    const said = `{"value":"${value}"}`
    assert.equal(await answered(t, idJsonSchema, value), said)
    assert.equal(await answered(t, { ...idJsonSchema, nullable: true }, value), said)
    const list = { type: 'array', items: idJsonSchema }
    assert.equal(await answered(t, list, [value, value]), `{"value":["${value}","${value}"]}`)
  })

  test(`${value} under anyOf has to be text already`, async (t) => {
    const anyOf = [idJsonSchema, { type: 'null' }]
    assert.equal(await answered(t, { anyOf }, String(value)), `{"value":"${value}"}`)
    assert.equal(await answered(t, { anyOf }, null), '{"value":null}')
    assert.equal(await answered(t, { anyOf }, value), 500)
  })
}

test('null is null where it may be', async (t) => {
  assert.equal(await answered(t, { ...idJsonSchema, nullable: true }, null), '{"value":null}')
})
