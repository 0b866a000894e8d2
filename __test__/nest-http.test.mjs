// Ids over HTTP with Nest: the pipe lets them in, the interceptor lets them out, the filter says what
// a failure means. On Express and on Fastify.

import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import {
  BadRequestException,
  HttpException,
  NotFoundException,
  StreamableFile,
} from '@nestjs/common'
import { APP_FILTER, APP_INTERCEPTOR } from '@nestjs/core'
import { FastifyAdapter } from '@nestjs/platform-fastify'
import { HealthCheckService, TerminusModule } from '@nestjs/terminus'
import { createIds, KvId } from 'mintid'
import {
  getGeneratorToken,
  getIdsToken,
  IdsAsTextInterceptor,
  MintIdExceptionFilter,
  MintIdModule,
  ParseIdPipe,
} from 'mintid/nest'
import { MintIdHealthIndicator } from 'mintid/nest/terminus'
import { createTestIds } from 'mintid/testing'
import { application, controller, moduleOf, ownStore, service } from './support/nest.mjs'

const ADAPTERS = { Express: () => undefined, Fastify: () => new FastifyAdapter() }
const LARGEST = '9223372036854775806'
const BAD_TEXTS = ['', '0x10', ' 12 ', '+1', '-1', '01', '1e3', '9223372036854775808']
const BAD_VALUES = [...BAD_TEXTS, 12, 12n, null, undefined, ['1'], {}]

const filter = { provide: APP_FILTER, useClass: MintIdExceptionFilter }
const interceptor = { provide: APP_INTERCEPTOR, useClass: IdsAsTextInterceptor }

/** What a service answers: `{ status, headers, body }`. */
async function answer(url, path, options) {
  const response = await fetch(`${url}${path}`, options)
  return { status: response.status, headers: response.headers, body: await response.json() }
}

/** Codes of our errors as a caller sees them. */
async function failureOf(mint) {
  return await mint().then(
    () => assert.fail('it does not fail'),
    (error) => error,
  )
}

for (const [name, adapter] of Object.entries(ADAPTERS)) {
  test(`ids go in and out as text, with ${name}`, async (t) => {
    const echo = (id) => ({
      id,
      kind: typeof id,
      batch: BigUint64Array.of(1n, id),
      at: new Date(0),
    })
    const routes = controller({ 'GET /orders/:id': echo }, new ParseIdPipe('orders'))
    const url = await service(t, { controllers: [routes], providers: [interceptor] }, adapter())
    for (const id of ['0', '1', LARGEST]) {
      const { status, body } = await answer(url, `/orders/${id}`)
      const at = '1970-01-01T00:00:00.000Z'
      assert.equal(status, 200)
      assert.deepEqual(body, { id, kind: 'bigint', batch: ['1', id], at })
    }
    // An empty one is another path.
    for (const text of BAD_TEXTS.slice(1)) {
      const { status, body } = await answer(url, `/orders/${encodeURIComponent(text)}`)
      assert.equal(status, 400)
      assert.equal(body.code, 'ERR_MINTID_ID_INVALID')
      assert.ok(body.message.startsWith(`${JSON.stringify(text)} is no id of "orders"`))
    }
  })

  test(`a failure is answered for what it is, with ${name}`, async (t) => {
    const { ids, store } = createTestIds()
    t.after(() => ids.close())
    store.seal('sealed')
    const closed = createIds('memory:').segment('closed')
    await closed.close()
    const routes = controller({
      'GET /bad': () => ids.segment('orders').id('0x10'),
      'GET /away': () => ids.segment('orders').nextSync(),
      'GET /closed': () => closed.next(),
      'GET /sealed': () => ids.segment('sealed').next(),
      'GET /missing': () => {
        throw new NotFoundException('no such order')
      },
      'GET /other': () => {
        throw new Error('a secret')
      },
    })
    const url = await service(t, { controllers: [routes], providers: [filter] }, adapter())
    const told = async (path) => {
      const { status, headers, body } = await answer(url, path)
      assert.equal(body.statusCode, status)
      return [status, headers.get('retry-after'), body.code, body.message]
    }
    const [status, retryAfter, code, message] = await told('/bad')
    assert.deepEqual([status, retryAfter, code], [400, null, 'ERR_MINTID_ID_INVALID'])
    assert.match(message, /^"0x10" is no id of "orders"/)
    const later = 'no id can be had at the moment'
    assert.deepEqual(await told('/away'), [503, '1', 'ERR_MINTID_SEGMENT_EMPTY', later])
    assert.deepEqual(await told('/closed'), [503, '1', 'ERR_MINTID_CLOSED', later])
    assert.deepEqual(await told('/sealed'), [
      500,
      null,
      'ERR_MINTID_RANGE_SEALED',
      'no id can be had',
    ])
    assert.deepEqual(await told('/missing'), [404, null, undefined, 'no such order'])
    assert.deepEqual(await told('/other'), [500, null, undefined, 'Internal server error'])
  })
}

test('the pipe throws as those of Nest do', () => {
  const pipe = new ParseIdPipe('orders')
  for (const value of BAD_VALUES) {
    assert.throws(
      () => pipe.transform(value),
      (error) => {
        assert.ok(error instanceof BadRequestException)
        assert.equal(error.getStatus(), 400)
        assert.equal(error.getResponse().error, 'Bad Request')
        return true
      },
    )
  }
  assert.equal(pipe.transform('0'), 0n)
  assert.equal(pipe.transform(LARGEST), BigInt(LARGEST))
})

test('the pipe takes the options of those of Nest', () => {
  const optional = new ParseIdPipe('orders', { optional: true })
  assert.equal(optional.transform(undefined), undefined)
  assert.equal(optional.transform(null), null)
  assert.equal(optional.transform('1'), 1n)
  assert.throws(() => optional.transform(''), BadRequestException)
  const other = new ParseIdPipe('orders', { errorHttpStatusCode: 422 })
  assert.throws(
    () => other.transform('x'),
    (error) => {
      assert.ok(error instanceof HttpException)
      const { statusCode, error: reason } = error.getResponse()
      assert.deepEqual([error.getStatus(), statusCode, reason], [422, 422, 'Unprocessable Entity'])
      return true
    },
  )
  const own = new ParseIdPipe('orders', { exceptionFactory: (message) => new RangeError(message) })
  assert.throws(() => own.transform('x'), /^RangeError: "x" is no id of "orders"/)
})

for (const [words, pattern] of [
  [[{ optional: true }], /^generator = an object/],
  [[1], /^generator = 1: expected a generator, or its name/],
  [['orders', { optinal: true }], /^optinal = true: .*did you mean optional/],
  [['orders', { optional: 1 }], /^optional = 1/],
  [['orders', { errorHttpStatusCode: 1000 }], /^errorHttpStatusCode = 1000/],
  [['orders', { exceptionFactory: 'no' }], /^exceptionFactory = "no"/],
]) {
  test(`a pipe of ${JSON.stringify(words)} is refused`, () => {
    const code = 'ERR_MINTID_CONFIG_INVALID'
    assert.throws(() => new ParseIdPipe(...words), { code, message: pattern })
  })
}

test('the pipe knows the name from a generator, or from the parameter', async (t) => {
  const messageOf = (pipe) => {
    try {
      pipe.transform('x', { type: 'param', data: 'orderId' })
    } catch (error) {
      return error.message
    }
  }
  assert.match(messageOf(new ParseIdPipe(new KvId('users'))), /^"x" is no id of "users"/)
  assert.match(messageOf(new ParseIdPipe()), /^"x" is no id of "orderId"/)
  // As a class, which Nest makes.
  const routes = controller({ 'GET /orders/:id': (id) => String(id) }, ParseIdPipe)
  const url = await service(t, { controllers: [routes] })
  assert.equal((await answer(url, '/orders/x')).status, 400)
  assert.deepEqual((await answer(url, '/orders/7')).body, 7)
})

test('files and streams go through the interceptor as they are', async (t) => {
  const routes = controller({
    'GET /file': () => new StreamableFile(Readable.from(['a file'])),
    'GET /bytes': () => new StreamableFile(Buffer.alloc(3, 46)),
    'GET /nothing': () => null,
  })
  const url = await service(t, { controllers: [routes], providers: [interceptor] })
  assert.equal(await (await fetch(`${url}/file`)).text(), 'a file')
  assert.equal(await (await fetch(`${url}/bytes`)).text(), '...')
  assert.equal(await (await fetch(`${url}/nothing`)).text(), '')
})

test('the filter answers over HTTP only, and ends an answer that has begun', async () => {
  const calls = []
  const httpAdapter = {
    isHeadersSent: () => true,
    end: (response) => calls.push(['end', response]),
  }
  const filter = new MintIdExceptionFilter({ httpAdapter })
  const error = await failureOf(async () => createIds('memory:').segment('orders').nextSync())
  const host = (type) => ({ getType: () => type, getArgByIndex: () => 'response' })
  assert.equal(filter.catch(error, host('rpc')), undefined)
  assert.deepEqual(calls, [])
  filter.catch(error, host('http'))
  assert.deepEqual(calls, [['end', 'response']])
})

test('health checks tell how the generators are, and fail with the store', async (t) => {
  const store = ownStore()
  const feature = MintIdModule.forFeature({ name: 'orders', reserveTimeout: 50 })
  const part = moduleOf({
    imports: [TerminusModule.forRoot({ logger: false }), feature],
    providers: [MintIdHealthIndicator],
  })
  const app = await application(t, [MintIdModule.forRoot({ store }), part])
  const of = (token) => app.get(token, { strict: false })
  const [orders, ids] = [of(getGeneratorToken('orders')), of(getIdsToken())]
  const check = () =>
    of(HealthCheckService).check([() => of(MintIdHealthIndicator).isHealthy('ids')])
  await orders.next()
  const { status, details } = await check()
  assert.equal(status, 'ok')
  assert.deepEqual(JSON.parse(JSON.stringify(details.ids)), { status: 'up', ...described(ids) })

  store.isAway = true
  const failure = await failureOf(() => orders.nextBatch(1_000_000))
  assert.equal(failure.code, 'ERR_MINTID_RANGE_UNAVAILABLE')
  const down = (await failureOf(check)).getResponse()
  assert.equal(down.status, 'error')
  assert.deepEqual(down.error.ids, { status: 'down', ...described(ids) })

  await ids.close()
  const { error } = (await failureOf(check)).getResponse()
  assert.deepEqual(error.ids, { status: 'down', message: `"${ids.store}" is closed` })
})

/** What a health check tells beside the status. */
function described(ids) {
  const { ok, ...details } = ids.health()
  assert.deepEqual(
    details.generators.map(({ name }) => name),
    ['orders'],
  )
  return details
}
