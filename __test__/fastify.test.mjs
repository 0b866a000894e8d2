// `mintid/fastify`: the plugin, ids of requests, failures, and ids in answers.

import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { get } from 'node:http'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import Fastify from 'fastify'
import { createIds } from 'mintid'
import mintid, * as imported from 'mintid/fastify'
import { createTestIds } from 'mintid/testing'
import { assertFails, assertRefused } from './support/failure.mjs'
import { storeOf } from './support/folder.mjs'
import { loadedBy } from './support/loaded.mjs'

const { errorHandler, genReqId, idsAsText } = imported
const HIGHEST = 2n ** 63n - 2n
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** An application that is closed with the test. */
function application(t, options) {
  const app = Fastify(options)
  t.after(() => app.close())
  return app
}

/** A logger of Fastify's shape that keeps what it is told as `[level, message]`. */
function keptLog() {
  const lines = []
  const level = (name) => (told, message) => lines.push([name, message ?? told])
  const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace']
  const logger = { level: 'trace', child: () => logger }
  for (const name of levels) logger[name] = level(name)
  return { lines, logger }
}

test('the plugin gives the whole application a store and its generators', async (t) => {
  const app = application(t)
  app.register(mintid, {
    store: 'memory:',
    namespace: 'shop',
    generators: (ids) => ({ orders: ids.segment('orders'), events: ids.snowflake('events') }),
  })
  app.register(async (nested) => {
    nested.post('/', async () => ({ id: await nested.orders.nextText() }))
  })
  assert.equal((await app.inject({ method: 'POST', url: '/' })).body, '{"id":"1"}')
  assert.equal(app.orders.describe().key, 'shop/orders')
  assert.equal(typeof (await app.events.next()), 'bigint')
  assert.deepEqual(
    app.ids.health().generators.map(({ name }) => name),
    ['orders', 'events'],
  )
  assert.ok(app.hasPlugin('mintid'))
})

test('what the plugin made is closed with the application', async (t) => {
  const app = Fastify()
  const { url } = storeOf(t)
  await app.register(mintid, { store: url, generators: (ids) => ({ orders: ids.segment('o') }) })
  assert.equal(await app.orders.next(), 1n)
  await app.close()
  await assertFails(() => app.orders.next(), 'ERR_MINTID_CLOSED')
})

test('what the plugin was given is left alone', async (t) => {
  const ids = createIds('memory:')
  t.after(() => ids.close())
  const app = Fastify()
  await app.register(mintid, { ids, generators: (given) => ({ orders: given.segment('orders') }) })
  assert.equal(app.ids, ids)
  await app.close()
  assert.equal(await app.orders.next(), 1n)
})

test('a request that is under way when the application closes gets its id', async () => {
  const app = Fastify()
  await app.register(mintid, { store: 'memory:' })
  const orders = app.ids.segment('orders')
  const [arrived, closing] = [new EventEmitter(), new EventEmitter()]
  app.get('/', async () => {
    arrived.emit('now')
    await once(closing, 'now')
    return orders.nextText()
  })
  app.addHook('preClose', async () => {
    closing.emit('now')
  })
  const base = await app.listen({ port: 0 })
  const underWay = once(arrived, 'now')
  // A connection that is kept would hold the server up.
  const answer = once(get(base, { agent: false }), 'response')
  await underWay
  const closed = app.close()
  const [response] = await answer
  assert.equal((await response.toArray()).join(''), '1')
  await closed
  await assertFails(() => orders.next(), 'ERR_MINTID_CLOSED')
})

test('others may still mint while the application closes, if they came after the plugin', async () => {
  const app = Fastify()
  await app.register(mintid, { store: 'memory:' })
  const orders = app.ids.segment('orders')
  let last
  app.addHook('onClose', async () => {
    last = await orders.next()
  })
  await app.close()
  assert.equal(last, 1n)
})

test('a store that does not close holds the application up for a time only, and is told', async () => {
  const { lines, logger } = keptLog()
  const app = Fastify({ loggerInstance: logger })
  const back = new EventEmitter()
  const answer = () => once(back, 'now').then(() => {})
  const store = { name: 'a store', reserve: answer, close: answer }
  await app.register(mintid, { store })
  app.ids.segment('orders').tryNext()
  await app.close()
  assert.deepEqual(
    lines.filter(([level]) => level === 'warn'),
    [['warn', 'mintid: a store did not close within 2000 ms']],
  )
  // The answer of somebody's own store is waited for, as that of any code is.
  back.emit('now')
})

test('events go to the log of the server, unless another is given', async () => {
  for (const own of [undefined, keptLog()]) {
    const { lines, logger } = keptLog()
    const app = Fastify({ loggerInstance: logger })
    const options = own === undefined ? {} : { logger: own.logger }
    await app.register(mintid, { store: 'memory:', ...options })
    await app.ids.segment('orders').next()
    const told = own?.lines ?? lines
    while (!told.some(([, message]) => message === 'mintid created')) {
      await new Promise((resolve) => setImmediate(resolve))
    }
    if (own !== undefined) assert.deepEqual(lines, [])
    await app.close()
  }
})

test('options that cannot be used are refused by name', async (t) => {
  const ids = createIds('memory:')
  t.after(() => ids.close())
  const refused = (options, name, expected) =>
    assertRefused(() => Fastify().register(mintid, options), name, options[name], expected)
  await refused({ store: 5 }, 'store', 'expected a URL, or a store of your own')
  await refused({ store: 'memory:', nameSpace: 'a' }, 'nameSpace', 'did you mean namespace?')
  await refused({ ids: 'memory:' }, 'ids', 'expected what createIds gives')
  await refused({ ids, store: 'memory:' }, 'store', 'ids is given')
  await refused({ ids, namespace: 'shop' }, 'namespace', 'ids is given')
  await refused({ ids, generators: { orders: 1 } }, 'generators', 'expected a function')
  await assertRefused(() => genReqId(), 'generator', undefined, 'expected a generator')
  const orders = ids.segment('orders')
  await assertRefused(() => genReqId(orders, { headr: 'x' }), 'headr', 'x', 'did you mean header?')
})

test('what Fastify takes of every plugin is no option of ours', async (t) => {
  const app = application(t)
  await app.register(mintid, { store: 'memory:', prefix: '/v1', logLevel: 'warn' })
  assert.equal(app.ids.store, 'memory:')
})

test('a second store for one application is refused by Fastify', async (t) => {
  const app = application(t)
  await app.register(mintid, { store: 'memory:' })
  await assert.rejects(async () => app.register(mintid, { store: 'memory:' }), {
    code: 'FST_ERR_DEC_ALREADY_PRESENT',
  })
})

test('another major version of Fastify is refused by Fastify', () => {
  assert.equal(mintid[Symbol.for('plugin-meta')].fastify, '5.x')
})

test('requests are given ids of a generator, or a random one where none is at hand', async (t) => {
  const ids = createIds('memory:')
  const requests = ids.segment('requests')
  const app = application(t, { genReqId: genReqId(requests) })
  app.get('/', async (request) => request.id)
  const idOf = async (headers) => (await app.inject({ url: '/', headers })).body
  assert.match(await idOf(), UUID)
  await requests.ready()
  assert.equal(await idOf(), '1')
  // Without the option nothing is taken from outside.
  assert.equal(await idOf({ 'x-request-id': 'theirs' }), '2')
  await ids.close()
  assert.match(await idOf(), UUID)
})

test('an id from outside is kept if that is asked for, and if it is well-formed', async (t) => {
  const requests = createIds('memory:').segment('requests')
  await requests.ready()
  for (const [options, header, id, kept] of [
    [{ header: 'X-Request-Id' }, 'x-request-id', 'theirs', true],
    [{ header: 'X-Request-Id' }, 'x-request-id', 'the irs', false],
    [{ header: 'X-Request-Id' }, 'x-request-id', '', false],
    [{ header: 'x-trace', accept: (text) => text === 'a b' }, 'x-trace', 'a b', true],
    [{ header: 'x-trace', accept: (text) => text === 'a b' }, 'x-trace', 'theirs', false],
  ]) {
    const app = application(t, { genReqId: genReqId(requests, options) })
    app.get('/', async (request) => request.id)
    const { body } = await app.inject({ url: '/', headers: { [header]: id } })
    assert.match(body, kept ? new RegExp(`^${id}$`) : /^[1-9]\d*$/)
  }
})

test('failures are answered by what they mean, and logged', async (t) => {
  const { ids, store } = createTestIds()
  t.after(() => ids.close())
  const [orders, bills] = [ids.segment('orders'), ids.segment('bills')]
  await bills.next()
  store.seal('bills')
  const { lines, logger } = keptLog()
  const app = application(t, { loggerInstance: logger })
  app.setErrorHandler(errorHandler)
  app.get('/bad', async () => orders.id('0x10'))
  app.get('/away', async () => orders.nextSync())
  app.get('/sealed', async () => bills.nextRange(1))
  app.get('/other', async () => {
    throw Object.assign(new Error('a teapot'), { statusCode: 418 })
  })
  const answers = []
  for (const url of ['/bad', '/away', '/sealed', '/other']) {
    const { statusCode, headers, body } = await app.inject(url)
    answers.push([statusCode, headers['retry-after'], JSON.parse(body).code])
  }
  assert.deepEqual(answers, [
    [400, undefined, 'ERR_MINTID_ID_INVALID'],
    [503, '1', 'ERR_MINTID_SEGMENT_EMPTY'],
    [500, undefined, 'ERR_MINTID_RANGE_SEALED'],
    [418, undefined, undefined],
  ])
  const levels = lines.filter(([, said]) => /is no id|"orders"|"bills"|teapot/.test(said))
  assert.deepEqual(
    levels.map(([level]) => level),
    ['info', 'error', 'error', 'info'],
  )
})

test('every bigint of an answer becomes text, with a schema and without', async (t) => {
  const app = application(t)
  app.addHook('preSerialization', idsAsText)
  const answer = {
    id: HIGHEST,
    lines: [{ id: 1n }, [2n]],
    at: new Date(0),
    none: null,
    bare: Object.assign(Object.create(null), { id: 3n }),
  }
  app.get('/', async () => answer)
  const id = { anyOf: [{ type: 'string' }, { type: 'null' }] }
  const schema = { response: { 200: { type: 'object', properties: { id } } } }
  app.get('/schema', { schema }, async () => answer)
  assert.deepEqual((await app.inject('/')).json(), {
    id: String(HIGHEST),
    lines: [{ id: '1' }, ['2']],
    at: '1970-01-01T00:00:00.000Z',
    none: null,
    bare: { id: '3' },
  })
  assert.deepEqual((await app.inject('/schema')).json(), { id: String(HIGHEST) })
  assert.equal(answer.id, HIGHEST)
})

test('import and require give the same, and the plugin as default', async (t) => {
  const required = createRequire(import.meta.url)('mintid/fastify')
  const names = ['default', 'errorHandler', 'genReqId', 'idsAsText', 'mintid']
  assert.deepEqual(Object.keys(imported).sort(), names)
  assert.deepEqual({ ...required }, { ...imported })
  assert.equal(imported.default, imported.mintid)
  const app = application(t)
  // As programs in CommonJS write it, and with a promise of the module.
  await app.register(required, { store: 'memory:' })
  assert.equal(app.ids.store, 'memory:')
  const other = application(t)
  await other.register(import('mintid/fastify'), { store: 'memory:' })
  assert.equal(other.ids.store, 'memory:')
})

test('it loads no other package, and changes nothing that others use', async () => {
  assert.deepEqual(await loadedBy('mintid/fastify'), { packages: [], isPatched: false })
})
