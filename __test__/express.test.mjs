// `mintid/express`, under each version of Express that it is for.

import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import express5 from 'express'
import express4 from 'express4'
import { createIds, KvId } from 'mintid'
import * as imported from 'mintid/express'
import { createTestIds } from 'mintid/testing'
import { assertRefused } from './support/failure.mjs'
import { listening } from './support/http.mjs'
import { loadedBy } from './support/loaded.mjs'

const { errorHandler, idParam, jsonReplacer, jsonReplacerAfter, requestId } = imported
const HIGHEST = 2n ** 63n - 2n

/** Express prints what nobody handles, unless it is under test. */
process.env.NODE_ENV = 'test'

for (const [version, express] of [
  ['Express 4', express4],
  ['Express 5', express5],
]) {
  const application = (...handlers) => {
    const app = express()
    app.set('json replacer', jsonReplacer)
    for (const handler of handlers) app.use(handler)
    return app
  }
  const orders = () => createIds('memory:').segment('orders')

  test(`a request without an id is given one, as text and in the answer, with ${version}`, async (t) => {
    const app = application(requestId({ generator: orders() }))
    app.get('/', (req, res) => res.json([req.id, typeof req.id]))
    const get = await listening(t, app)
    for (const id of ['1', '2']) {
      const { headers, body } = await get('/')
      assert.deepEqual([headers.get('x-request-id'), ...body], [id, id, 'string'])
    }
  })

  test(`a well-formed id from outside is kept, with ${version}`, async (t) => {
    const app = application(requestId({ generator: orders() }))
    app.get('/', (req, res) => res.json(req.id))
    const get = await listening(t, app)
    for (const id of ['7', 'a', '9c9ecc1c-f2ab-4e5f', 'a_b.c:d=e@f+g/h', 'x'.repeat(128)]) {
      const { headers, body } = await get('/', { headers: { 'x-request-id': id } })
      assert.deepEqual([headers.get('x-request-id'), body], [id, id])
    }
  })

  test(`an id from outside that is not well-formed is replaced, with ${version}`, async (t) => {
    const app = application(requestId({ generator: orders() }))
    app.get('/', (req, res) => res.json(req.id))
    const get = await listening(t, app)
    const bad = ['', 'x'.repeat(129), 'a b', 'a,b', 'a"b', '<script>', 'a;b', 'a\\b', 'é']
    for (const [i, id] of bad.entries()) {
      const { body } = await get('/', { headers: { 'x-request-id': id } })
      assert.equal(body, String(i + 1), id)
    }
  })

  test(`two ids from outside are none, with ${version}`, async (t) => {
    const app = application(requestId({ generator: orders() }))
    app.get('/', (req, res) => res.json(req.id))
    const get = await listening(t, app)
    const headers = new Headers([
      ['x-request-id', 'a'],
      ['x-request-id', 'b'],
    ])
    assert.equal((await get('/', { headers })).body, '1')
  })

  test(`header, property, answer and what is accepted are options, with ${version}`, async (t) => {
    const app = application(
      requestId({
        generator: orders(),
        header: 'X-Correlation-Id',
        property: 'correlationId',
        setHeader: false,
        accept: (id) => id.startsWith('ours '),
      }),
    )
    app.get('/', (req, res) => res.json([req.correlationId, req.id ?? null]))
    const get = await listening(t, app)
    const asked = (id) => get('/', { headers: { 'x-correlation-id': id } })
    assert.deepEqual((await asked('ours 1')).body, ['ours 1', null])
    const { headers, body } = await asked('theirs')
    assert.deepEqual(body, ['1', null])
    assert.equal(headers.get('x-correlation-id'), null)
  })

  test(`a request that can be given no id is a failure for those who handle them, with ${version}`, async (t) => {
    const { ids } = createTestIds()
    const generator = ids.segment('requests')
    await ids.close()
    const app = application(requestId({ generator }), errorHandler())
    app.get('/', () => assert.fail('no request without an id comes here'))
    const { status, headers, body } = await (await listening(t, app))('/')
    assert.equal(status, 503)
    assert.equal(headers.get('retry-after'), '1')
    assert.deepEqual(body, {
      statusCode: 503,
      error: 'Service Unavailable',
      message: 'no id can be had at the moment',
      code: 'ERR_MINTID_CLOSED',
    })
  })

  test(`a test of ids that throws is a failure of the request alone, with ${version}`, async (t) => {
    const accept = () => {
      throw new Error('a mistake')
    }
    const app = application(requestId({ generator: orders(), accept }))
    app.get('/', (_req, res) => res.json('never'))
    app.use((error, _req, res, _next) => res.status(500).json(error.message))
    const get = await listening(t, app)
    assert.equal((await get('/', { headers: { 'x-request-id': 'a' } })).body, 'a mistake')
  })

  test(`the replacer makes text of every bigint, with ${version}`, async (t) => {
    const app = application()
    app.get('/', (_req, res) => res.json({ id: HIGHEST, lines: [{ id: 0n }], n: 1, none: null }))
    const { body } = await (await listening(t, app))('/')
    assert.deepEqual(body, { id: String(HIGHEST), lines: [{ id: '0' }], n: 1, none: null })
  })

  test(`a replacer of the application's own comes before it, with ${version}`, async (t) => {
    const app = application()
    const holders = []
    app.set(
      'json replacer',
      jsonReplacerAfter(function (key, value) {
        holders.push(this)
        if (key === 'secret') return undefined
        return value === 7n ? 8n : value
      }),
    )
    app.get('/', (_req, res) => res.json({ id: 7n, secret: 'x' }))
    const { body } = await (await listening(t, app))('/')
    assert.deepEqual(body, { id: '8' })
    assert.deepEqual(holders[1], { id: 7n, secret: 'x' })
  })

  test(`a parameter is a bigint for its handlers, and bad ones are refused, with ${version}`, async (t) => {
    const generator = orders()
    const orderId = idParam(generator)
    const app = application()
    app.param('id', orderId)
    app.get('/orders/:id', (req, res) => {
      const id = orderId.of(req)
      res.json({ id, kind: typeof id, text: req.params.id })
    })
    app.use(errorHandler())
    const get = await listening(t, app)
    for (const text of ['0', '1', String(HIGHEST)]) {
      assert.deepEqual((await get(`/orders/${text}`)).body, { id: text, kind: 'bigint', text })
    }
    const bad = ['0x10', ' 12 ', '-1', '+1', '01', '1e3', '1n', '9223372036854775808', '１']
    for (const text of bad) {
      const { status, body } = await get(`/orders/${encodeURIComponent(text)}`)
      assert.equal(status, 400, text)
      assert.equal(body.code, 'ERR_MINTID_ID_INVALID')
      assert.ok(body.message.startsWith(`${JSON.stringify(text)} is no id of "orders"`))
    }
  })

  test(`an id that a path does not have is refused where it is wanted, with ${version}`, async (t) => {
    const orderId = idParam(orders())
    const app = application()
    app.param('id', orderId)
    app.get('/orders', (req, res) => res.json(orderId.of(req)))
    app.use(errorHandler())
    const { status, body } = await (await listening(t, app))('/orders')
    assert.equal(status, 400)
    assert.match(body.message, /^"" is no id of "orders"/)
  })

  test(`parameters of two generators do not mix, with ${version}`, async (t) => {
    const ids = createIds('memory:')
    const [orderId, lineId] = [ids.segment('orders'), ids.segment('lines')].map(idParam)
    const app = application()
    app.param('order', orderId)
    app.param('line', lineId)
    app.get('/:order/:line', (req, res) => res.json([orderId.of(req), lineId.of(req)]))
    app.use(errorHandler())
    const get = await listening(t, app)
    const all = Array.from({ length: 20 }, async (_, i) => (await get(`/${i}/${i + 100}`)).body)
    assert.deepEqual(
      await Promise.all(all),
      all.map((_, i) => [`${i}`, `${i + 100}`]),
    )
    assert.match((await get('/1/x')).body.message, /^"x" is no id of "lines"/)
  })

  test(`one idParam for two parameters of a path is a mistake that is told, with ${version}`, async (t) => {
    const orderId = idParam(orders())
    const app = application()
    app.param('from', orderId)
    app.param('to', orderId)
    app.get('/:from/:to', (_req, res) => res.json('never'))
    app.use((error, _req, res, _next) => res.status(500).json(error.message))
    assert.equal(
      (await (await listening(t, app))('/1/2')).body,
      'idParam of "orders" stands for :from and for :to of one path: make one for each parameter',
    )
  })

  test(`queries and bodies are checked by the generator, with ${version}`, async (t) => {
    const generator = orders()
    const app = application(express.json())
    app.get('/', (req, res) => res.json(generator.id(req.query.after)))
    app.post('/', (req, res) => res.json(generator.id(req.body.id)))
    app.use(errorHandler())
    const get = await listening(t, app)
    assert.equal((await get('/?after=12')).body, '12')
    for (const query of ['', '?after=', '?after=0x10', '?after=1&after=2', '?after[a]=1']) {
      assert.equal((await get(`/${query}`)).status, 400, query)
    }
    const post = (body) =>
      get('/', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    assert.equal((await post(`{"id":"${HIGHEST}"}`)).body, String(HIGHEST))
    // A number may have been rounded before it came here.
    assert.equal((await post('{"id":12}')).status, 400)
  })

  test(`a final failure is told without what the store said, with ${version}`, async (t) => {
    const { ids, store } = createTestIds()
    t.after(() => ids.close())
    const generator = ids.segment('orders')
    await generator.next()
    store.seal('orders')
    const app = application()
    app.get('/', (_req, res, next) => {
      generator.nextRange(10).then((range) => res.json(range), next)
    })
    app.use(errorHandler())
    const { status, headers, body } = await (await listening(t, app))('/')
    assert.equal(status, 500)
    assert.equal(headers.get('retry-after'), null)
    assert.equal(body.code, 'ERR_MINTID_RANGE_SEALED')
    assert.equal(body.message, 'no id can be had')
  })

  test(`other errors, and those after an answer has begun, go on, with ${version}`, async (t) => {
    const generator = orders()
    const seen = []
    const app = application()
    app.get('/other', () => {
      throw new Error('another')
    })
    app.get('/begun', (_req, res) => {
      res.write('[')
      generator.id('x')
    })
    app.use(errorHandler(), (error, _req, res, _next) => {
      seen.push(error.message.slice(0, 7))
      res.status(418).end()
    })
    const get = await listening(t, app)
    assert.equal((await get('/other')).status, 418)
    assert.equal((await get('/begun')).status, 200)
    assert.deepEqual(seen, ['another', '"x" is '])
  })
}

test('Snowflake ids and constants serve as well', async () => {
  const events = createIds('memory:').snowflake('events')
  for (const generator of [events, new KvId('requests')]) {
    assert.equal(typeof requestId({ generator }), 'function')
    assert.equal(idParam(generator).of.length, 1)
  }
})

test('options that cannot be used are refused by name', async () => {
  const generator = createIds('memory:').segment('orders')
  const refused = (options, name, expected) =>
    assertRefused(() => requestId(options), name, options?.[name], expected)
  await assertRefused(() => requestId(), 'options', undefined, 'expected an object')
  await refused({}, 'generator', 'such as ids.segment')
  await refused({ generator: 5 }, 'generator', 'expected a generator')
  await refused({ generator, headre: 'x' }, 'headre', 'did you mean header?')
  await refused(
    { generator, zzzzzz: 1 },
    'zzzzzz',
    'generator, header, accept, property, setHeader',
  )
  await refused({ generator, header: 'a b' }, 'header', 'expected the name of a header')
  await refused({ generator, header: 5 }, 'header', 'expected the name of a header')
  await refused({ generator, property: '' }, 'property', 'expected the name of a property')
  await refused({ generator, setHeader: 'no' }, 'setHeader', 'expected true or false')
  await refused({ generator, accept: /x/ }, 'accept', 'expected a function')
  await assertRefused(() => idParam(), 'generator', undefined, 'expected a generator')
  await assertRefused(() => jsonReplacerAfter(['id']), 'replacer', ['id'], 'expected a function')
})

test('import and require give the same functions', () => {
  const names = ['errorHandler', 'idParam', 'jsonReplacer', 'jsonReplacerAfter', 'requestId']
  assert.deepEqual(Object.keys(imported).sort(), names)
  assert.deepEqual({ ...createRequire(import.meta.url)('mintid/express') }, { ...imported })
})

test('it loads no other package, and changes nothing that others use', async () => {
  assert.deepEqual(await loadedBy('mintid/express'), { packages: [], isPatched: false })
})
