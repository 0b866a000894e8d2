// `mintid/testing`: the clock that reaches the engine. No time passes here but the clock's.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestIds } from 'mintid/testing'
import { assertFails, assertRefused } from './support/failure.mjs'

const UNAVAILABLE = 'ERR_MINTID_RANGE_UNAVAILABLE'
const DAY = 86_400_000

function bench(t, segment) {
  const made = createTestIds()
  t.after(() => made.ids.close())
  return { ...made, orders: made.ids.segment('orders', segment) }
}

test('the clock begins at 0 and stands still', async (t) => {
  const { clock, orders } = bench(t)
  assert.equal(clock.now(), 0)
  await orders.nextBatch(1_000)
  assert.equal(clock.now(), 0)
  await clock.advance(0)
  await clock.advance(1_500)
  await clock.advance(DAY)
  assert.equal(clock.now(), DAY + 1_500)
})

test('moves that are not awaited add up', async (t) => {
  const { clock } = bench(t)
  await Promise.all([clock.advance(100), clock.advance(250)])
  assert.equal(clock.now(), 350)
})

test('callers fail fast until the retry time, and are served after it', async (t) => {
  const { store, clock, orders } = bench(t)
  store.failNext()
  await assertFails(() => orders.next(), UNAVAILABLE)
  for (const ms of [0, 99]) {
    await clock.advance(ms)
    await assertFails(() => orders.next(), UNAVAILABLE)
  }
  assert.equal(store.calls, 1)
  await clock.advance(1)
  assert.equal(await orders.next(), 1n)
  assert.equal(store.calls, 2)
})

test('one long move sees every retry on its way', async (t) => {
  const { store, clock, orders } = bench(t, { policy: 'fixed', step: 1_000 })
  await orders.nextBatch(490)
  await clock.advance(DAY)
  assert.equal(store.calls, 1)
  store.fail()
  // Past the mark, with ids that last for long: the refill is tried again in the background.
  await orders.nextBatch(20)
  await clock.advance(0)
  assert.equal(store.calls, 2)
  // At 100, 300, 700, 1,500, 3,100 and 6,300 ms, and from then on every 5 s.
  await clock.advance(6_299)
  assert.equal(store.calls, 7)
  await clock.advance(1)
  assert.equal(store.calls, 8)
  await clock.advance(15_000)
  assert.equal(store.calls, 11)
  store.recover()
  await clock.advance(5_000)
  assert.equal(store.calls, 12)
  assert.equal((await orders.nextBatch(1_000))[999], 1_510n)
})

test('a caller of a hanging store waits for reserveTimeout', async (t) => {
  const { store, clock, orders } = bench(t, { reserveTimeout: 60_000 })
  store.hang()
  let failure
  for (let i = 0; i < 10; i++) {
    orders.next().catch((error) => {
      failure = error
    })
  }
  await clock.advance(59_999)
  assert.equal(failure, undefined)
  await clock.advance(1)
  assert.equal(failure.code, UNAVAILABLE)
  assert.equal(store.calls, 1)
})

test('timeoutMs is time of the clock', async (t) => {
  const { store, clock, orders } = bench(t)
  store.hang()
  let failure
  orders.next({ timeoutMs: 500 }).catch((error) => {
    failure = error
  })
  await clock.advance(499)
  assert.equal(failure, undefined)
  await clock.advance(1)
  assert.equal(failure.code, UNAVAILABLE)
})

test('connectTimeout is time of the clock', async (t) => {
  const { ids, store, clock } = bench(t)
  store.hang()
  const ready = assertFails(() => ids.ready(), 'ERR_MINTID_STORE_UNAVAILABLE')
  await clock.advance(5_000)
  await ready
})

test('ids grow too old by the clock', async (t) => {
  const { clock, orders } = bench(t, { step: 100, rangeTtl: 1_000 })
  assert.equal(await orders.next(), 1n)
  await clock.advance(999)
  assert.equal(await orders.next(), 2n)
  await clock.advance(1)
  assert.equal(await orders.next(), 101n)
  assert.equal(orders.stats().wasted, 98)
})

test('the time that a reservation takes counts to the age of its ids', async (t) => {
  const { store, clock, orders } = bench(t, { step: 100, rangeTtl: 1_000 })
  store.delay(600)
  const first = orders.next()
  await clock.advance(600)
  assert.equal(await first, 1n)
  store.delay(0)
  await clock.advance(400)
  assert.equal(await orders.next(), 101n)
})

test('lookahead follows the load by the clock', async (t) => {
  const { clock, orders } = bench(t, { step: 10, lookahead: 1_000 })
  await orders.next()
  assert.equal(orders.stats().step, 10)
  // 50 ids every 100 ms, for 20 s.
  for (let i = 0; i < 200; i++) {
    await orders.nextBatch(50)
    await clock.advance(100)
  }
  const { step, ratePerSecond } = orders.stats()
  assert.ok(Math.abs(ratePerSecond - 500) < 50, `${ratePerSecond} ids a second`)
  assert.ok(step >= 450 && step <= 550, `a reservation of ${step} ids`)
  await clock.advance(DAY)
  await orders.nextBatch(1_000)
  assert.equal(orders.stats().step, 10)
})

test('a proportional segment is as large as the clock says that it has to be', async (t) => {
  const { clock, orders } = bench(t, { policy: 'proportional', preload: 60_000 })
  for (let i = 0; i < 3_600; i++) {
    await orders.nextBatch(20)
    await clock.advance(1_000)
  }
  const { step, refills } = orders.stats()
  assert.ok(step >= 1_000 && step <= 1_400, `a reservation of ${step} ids`)
  assert.ok(refills <= 75, `${refills} reservations in an hour`)
})

test('a move ends, however callers answer each id', async (t) => {
  const { clock, orders } = bench(t, { step: 1, lookahead: 0 })
  let isOver = false
  const callers = Array.from({ length: 3 }, async () => {
    while (!isOver) await orders.next()
  })
  await clock.advance(10)
  assert.equal(clock.now(), 10)
  isOver = true
  await Promise.all(callers)
})

test('a time that is none is refused', async (t) => {
  const { clock } = bench(t)
  for (const ms of [-1, 0.5, Number.NaN, 2 ** 31, '10', 10n, undefined]) {
    await assertRefused(() => clock.advance(ms), 'ms', ms, 'integer from 0')
  }
  assert.equal(clock.now(), 0)
})

for (const [name, call] of Object.entries({
  next: (orders, options) => orders.next(options),
  nextRange: (orders, options) => orders.nextRange(5, options),
  ready: (orders, options) => orders.ready(options),
})) {
  test(`${name} waits for its timeoutMs on the clock, and blames nobody for it`, async (t) => {
    const { store, clock, orders } = bench(t)
    store.hang()
    let failure
    const pending = call(orders, { timeoutMs: 1_000 }).catch((error) => {
      failure = error
    })
    await clock.advance(999)
    assert.equal(failure, undefined)
    await clock.advance(1)
    await pending
    assert.equal(failure.code, UNAVAILABLE)
    assert.match(failure.message, /"orders" was not refilled within 1000 ms/)
    assert.equal(orders.stats().failures, 0)
  })
}
