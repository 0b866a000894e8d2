// `mintid/testing`: each switch of the store, as a user's test would use it.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestIds } from 'mintid/testing'
import { assertFails, assertRefused } from './support/failure.mjs'
import { assertGrowing } from './support/ids.mjs'

const UNAVAILABLE = 'ERR_MINTID_RANGE_UNAVAILABLE'
const STORE_ERROR = 'ERR_MINTID_STORE_ERROR'
const FIXED = { policy: 'fixed', step: 10 }

/** A bench that is closed with its test, and a generator on it. */
function bench(t, { options, segment = FIXED } = {}) {
  const made = createTestIds(options)
  t.after(() => made.ids.close())
  return { ...made, orders: made.ids.segment('orders', segment) }
}

/** Whether a promise is settled by now. */
function watch(promise) {
  const seen = { isSettled: false }
  const settle = () => {
    seen.isSettled = true
  }
  promise.then(settle, settle)
  return seen
}

test('without a fault it is a store like any other', async (t) => {
  const { ids, store, orders } = bench(t)
  await ids.ready()
  assert.equal(store.calls, 0)
  assert.deepEqual(
    [...(await orders.nextBatch(25))],
    [...Array(25).keys()].map((i) => BigInt(i + 1)),
  )
  assert.ok(store.calls >= 3)
  assert.equal(ids.store, 'memory:test')
})

test('no two benches share a counter', async (t) => {
  const [one, other] = [bench(t), bench(t)]
  assert.equal(await one.orders.next(), 1n)
  assert.equal(await other.orders.next(), 1n)
})

test('failNext fails so many reservations, which grant nothing', async (t) => {
  const { store, clock, orders } = bench(t)
  store.failNext(2, 'the disk is full')
  for (const attempt of [1, 2]) {
    const error = await assertFails(() => orders.next(), UNAVAILABLE)
    assert.equal(error.retryable, true)
    assert.equal(error.cause.code, STORE_ERROR)
    assert.match(error.cause.message, /the disk is full/)
    assert.equal(store.calls, attempt)
    await clock.advance(1_000)
  }
  assert.equal(await orders.next(), 1n)
})

test('fail fails every call until recover', async (t) => {
  const { ids, store, clock, orders } = bench(t)
  store.fail()
  await assertFails(() => ids.ready(), 'ERR_MINTID_STORE_UNAVAILABLE')
  for (let i = 0; i < 3; i++) {
    await assertFails(() => orders.next(), UNAVAILABLE)
    await clock.advance(10_000)
  }
  assert.equal(store.calls, 3)
  store.recover()
  await ids.ready()
  assert.equal(await orders.next(), 1n)
})

test('loseNextReply grants a range that nobody gets', async (t) => {
  const { store, clock, orders } = bench(t)
  store.loseNextReply()
  const error = await assertFails(() => orders.next(), UNAVAILABLE)
  assert.match(error.cause.message, /the reply was lost/)
  await clock.advance(100)
  assert.equal(await orders.next(), 11n)
})

test('hang keeps callers waiting until recover', async (t) => {
  const { ids, store, clock, orders } = bench(t)
  store.hang()
  const [next, ready] = [orders.next(), ids.ready()]
  const seen = [watch(next), watch(ready)]
  await clock.advance(0)
  assert.equal(store.calls, 1)
  assert.ok(seen.every(({ isSettled }) => !isSettled))
  store.recover()
  assert.equal(await next, 1n)
  await ready
  assert.equal(clock.now(), 0)
})

test('close ends what hangs', async () => {
  const { ids, store } = createTestIds()
  store.hang()
  const next = assertFails(() => ids.segment('orders').next(), 'ERR_MINTID_CLOSED')
  await ids.close()
  await next
})

test('delay answers after so much time of the clock', async (t) => {
  const { store, clock, orders } = bench(t)
  store.delay(250)
  const next = orders.next()
  const seen = watch(next)
  await clock.advance(249)
  assert.equal(seen.isSettled, false)
  await clock.advance(1)
  assert.equal(seen.isSettled, true)
  assert.equal(await next, 1n)
  store.delay(0)
  assert.equal((await orders.nextBatch(20)).length, 20)
})

for (const [fault, cause] of Object.entries({
  goBack: (store) => store.goBack('orders', 3n),
  wipe: (store) => store.wipe(),
})) {
  test(`after ${fault} no id comes twice`, async (t) => {
    const { store, orders } = bench(t, { options: { jump: 1_000 } })
    const before = await orders.nextBatch(100)
    cause(store)
    const after = await orders.nextBatch(100)
    assertGrowing([...before, ...after])
    assert.ok(after[99] > 1_100n, 'the counter was raised by the jump')
  })

  test(`after ${fault} nothing is served where repair is off`, async (t) => {
    const { store, clock, orders } = bench(t, { options: { repair: false } })
    await orders.next()
    cause(store)
    while (orders.tryNext() !== undefined) await clock.advance(0)
    await assertFails(() => orders.next(), 'ERR_MINTID_STORE_WENT_BACK')
  })
}

test('seal ends a generator, once the ids in memory are used', async (t) => {
  const { store, orders } = bench(t, { segment: { step: 10, lookahead: 0 } })
  assert.equal(await orders.next(), 1n)
  assert.equal(store.seal('orders'), true)
  assert.equal(store.seal('orders'), false)
  for (let id = 2n; id <= 10n; id++) assert.equal(await orders.next(), id)
  await assertFails(() => orders.next(), 'ERR_MINTID_RANGE_SEALED')
})

test('names are those of the namespace of the ids', async (t) => {
  const { store, orders } = bench(t, { options: { namespace: 'shop' } })
  store.seal('orders')
  await assertFails(() => orders.next(), 'ERR_MINTID_RANGE_SEALED')
})

test('what a switch cannot use is refused by name', async (t) => {
  const { store } = bench(t)
  for (const n of [0, -1, 1.5, Number.NaN, 2 ** 32, '1', 1n, null]) {
    await assertRefused(() => store.failNext(n), 'n', n, 'integer from 1')
    await assertRefused(() => store.loseNextReply(n), 'n', n, 'integer from 1')
  }
  for (const ms of [-1, 0.5, Number.POSITIVE_INFINITY, 2 ** 31, '10', undefined]) {
    await assertRefused(() => store.delay(ms), 'ms', ms, 'integer from 0')
  }
  await assertRefused(() => store.fail(5), 'message', 5, 'expected text')
  await assertRefused(() => store.failNext(1, 5), 'message', 5, 'expected text')
  await assertRefused(() => store.seal(5), 'name', 5, 'expected text')
  await assertFails(() => store.seal('a/b'), 'ERR_MINTID_CONFIG_INVALID')
  for (const value of [-1n, 2n ** 63n, '01', 5, undefined]) {
    await assertFails(() => store.goBack('orders', value), 'ERR_MINTID_ID_INVALID')
  }
  await assertFails(() => store.goBack('a/b', 5n), 'ERR_MINTID_CONFIG_INVALID')
  await assertFails(() => createTestIds({ jmup: 5 }), 'ERR_MINTID_CONFIG_INVALID')
  assert.equal(store.calls, 0)
})
