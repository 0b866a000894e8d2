// Snowflake ids on a clock that goes back, leaps and stands still: never a repeat, never an id that
// is lower than the one before. No time passes here but the clock's.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestIds } from 'mintid/testing'
import { assertFails, assertRefused, failureOf } from './support/failure.mjs'
import { assertDistinct, assertGrowing } from './support/ids.mjs'

const BACKWARDS = 'ERR_MINTID_CLOCK_BACKWARDS'
const NOON = Date.UTC(2026, 0, 1, 12)
const HOUR = 3_600_000

/** What it may say while the clock is where it is. */
const EXPECTED = [BACKWARDS, 'ERR_MINTID_LEASE_LOST', 'ERR_MINTID_LEASE_PENDING']

async function bench(t, options) {
  const made = createTestIds()
  t.after(() => made.ids.close())
  const events = made.ids.snowflake('events', options)
  await events.ready()
  return { ...made, events }
}

/** Whether a call has been answered by now. */
function watched(promise) {
  const call = { promise, isDone: false }
  const done = () => {
    call.isDone = true
  }
  promise.then(done, done)
  return call
}

test('ids hold the time of day of the clock', async (t) => {
  const { events, clock } = await bench(t)
  assert.equal(events.parse(await events.next()).timestamp.getTime(), NOON)
  await clock.advance(1_500)
  assert.equal(events.parse(events.nextSync()).timestamp.getTime(), NOON + 1_500)
  assert.equal(clock.now(), 1_500)
  await clock.walk(HOUR / 100)
  assert.equal(clock.now(), 1_500)
})

test('a tick that is used up makes callers wait for the next one', async (t) => {
  const { events, clock } = await bench(t)
  const batch = await events.nextBatch(4_096)
  assert.equal(events.tryNext(), undefined)
  await assertFails(() => events.nextSync(), 'ERR_MINTID_SEGMENT_EMPTY')
  const next = watched(events.next())
  await clock.advance(0)
  assert.equal(next.isDone, false)
  await clock.advance(1)
  assert.ok(next.isDone)
  assert.equal(await next.promise, batch[0] + (1n << 22n))
})

for (const bits of [0, 1, 2, 3, 5, 8, 13, 17, 20, 22]) {
  test(`a sequence of ${bits} bits overflows into the next tick`, async (t) => {
    const layout = { timestampBits: 40, machineBits: 1, sequenceBits: bits }
    const { events, clock } = await bench(t, { layout, machine: 1 })
    const first = await events.nextBatch(2 ** bits)
    assert.equal(events.tryNext(), undefined)
    const after = events.next()
    await clock.advance(1)
    const last = first.at(-1)
    assert.equal(first[0] + BigInt(2 ** bits - 1), last)
    const { timestamp } = events.parse(last)
    assert.deepEqual(events.parse(await after), {
      timestamp: new Date(timestamp.getTime() + 1),
      machine: 1,
      sequence: 0,
    })
  })
}

for (const back of [1, 5, 99, 100]) {
  test(`a clock that goes back ${back} ms is waited for`, async (t) => {
    const { events, clock } = await bench(t)
    events.on('clockBackwards', () => assert.fail('told'))
    const before = await events.next()
    await clock.walk(-back)
    assert.equal(events.tryNext(), undefined)
    await assertFails(() => events.nextSync(), BACKWARDS)
    const calls = [watched(events.next()), watched(events.nextBatch(5_000))]
    await clock.advance(back - 1)
    assert.ok(calls.every(({ isDone }) => !isDone))
    await clock.advance(1)
    const [next] = await Promise.all([calls[0].promise, clock.advance(2)])
    assertGrowing([before, next, ...(await calls[1].promise), await events.next()])
  })
}

for (const back of [101, 1_000, HOUR]) {
  test(`a clock that goes back ${back} ms is told at once, and served when it has caught up`, async (t) => {
    const { events, clock } = await bench(t, { lease: { ttl: 4 * HOUR, heartbeat: HOUR / 60 } })
    const seen = []
    events.on('clockBackwards', (event) => seen.push(event))
    const before = await events.nextBatch(5)
    await clock.walk(-back)
    for (const call of [
      () => events.next(),
      () => events.nextSync(),
      () => events.nextBatch(10),
      () => events.nextText(),
    ]) {
      const { message } = await assertFails(call, BACKWARDS)
      assert.match(message, new RegExp(`went back ${back} ms, from ${NOON} to ${NOON - back} `))
    }
    assert.equal(events.tryNext(), undefined)
    await clock.advance(back - 1)
    const next = events.next()
    await clock.advance(1)
    assertGrowing([...before, await next, events.nextSync()])
    assert.equal(seen.length, 1)
    assert.match(seen[0].message, /clockBackwardsMax = 100/)
  })
}

test('clockBackwardsMax is how far is waited for', async (t) => {
  const { events, clock } = await bench(t, { clockBackwardsMax: 0 })
  await events.next()
  await clock.walk(-1)
  const { message } = await assertFails(() => events.next(), BACKWARDS)
  assert.match(message, /clockBackwardsMax = 0/)
})

test('everybody who waits is told when the clock goes far back', async (t) => {
  const { events, clock } = await bench(t)
  await events.nextBatch(4_096)
  const calls = Array.from({ length: 100 }, () => failureOf(() => events.next()))
  await clock.walk(-HOUR)
  const errors = await Promise.all(calls)
  assert.ok(errors.every(({ code }) => code === BACKWARDS))
  assert.equal(new Set(errors).size, 100)
})

test('a clock that goes back a little while everybody waits keeps them waiting', async (t) => {
  const { events, clock } = await bench(t)
  const batch = await events.nextBatch(4_096)
  const calls = Array.from({ length: 100 }, () => events.next())
  await clock.walk(-90)
  await clock.advance(91)
  assertGrowing([...batch, ...(await Promise.all(calls))])
})

test('a clock that goes back for long ends the wait of who waits no longer', async (t) => {
  const { events, clock } = await bench(t, { clockBackwardsMax: 10_000, reserveTimeout: 200 })
  await events.next()
  await clock.walk(-1_000)
  const late = failureOf(() => events.next())
  await clock.advance(150)
  await clock.advance(60)
  const { code, cause } = await late
  assert.equal(code, 'ERR_MINTID_RANGE_UNAVAILABLE')
  assert.equal(cause.code, BACKWARDS)
})

test('a walk of the clock at random repeats nothing', async () => {
  // Any seed will do; a failure tells which it was.
  for (let seed = 1; seed <= 20; seed++) {
    const { ids, clock } = createTestIds()
    const events = ids.snowflake('events', { reserveTimeout: 50 })
    await events.ready()
    let state = seed
    const random = (n) => {
      state = (state * 48_271) % 2_147_483_647
      return state % n
    }
    const minted = []
    for (let step = 0; step < 50; step++) {
      const big = random(4) === 0 ? 2 * HOUR : 300
      const move = random(2 * big + 1) - big
      if (random(2) === 0) await clock.walk(move)
      else await clock.advance(random(200))
      const n = 1 + random(6_000)
      const calls = [events.nextBatch(n), events.next()]
      const settled = Promise.allSettled(calls)
      await clock.advance(60)
      for (const { status, value, reason } of await settled) {
        if (status === 'rejected') {
          const { code } = reason.cause ?? reason
          assert.ok([...EXPECTED, 'ERR_MINTID_SEGMENT_EMPTY'].includes(code), `${seed}: ${reason}`)
        } else if (typeof value === 'bigint') minted.push(value)
        else for (const id of value) minted.push(id)
      }
      const id = events.tryNext()
      if (id !== undefined) minted.push(id)
    }
    assertGrowing(minted)
    await ids.close()
  }
})

test('a generator that is made again within one tick repeats nothing', async (t) => {
  for (const layout of [undefined, { timestampBits: 32, unit: 's' }]) {
    const { ids, clock } = createTestIds()
    t.after(() => ids.close())
    const minted = []
    for (let round = 0; round < 100; round++) {
      const events = ids.snowflake('events', { machine: 3, layout })
      const batch = events.nextBatch(1_000)
      // Its predecessor has used the tick, or a part of it.
      while (!(await settledWithin(clock, batch))) await clock.advance(1_000)
      minted.push(...(await batch))
      await events.close()
      await clock.advance(0)
    }
    assertDistinct(minted)
  }
})

async function settledWithin(clock, promise) {
  const call = watched(promise)
  await clock.advance(0)
  return call.isDone
}

test('a layout mints to its last tick, and not beyond', async (t) => {
  const layout = { timestampBits: 25, unit: 's', epoch: NOON - HOUR }
  const { events, clock } = await bench(t, { layout })
  const { endsAt } = events.describe()
  await clock.walk(endsAt.getTime() - NOON - 30_000)
  // With a heartbeat on the way, which lets the holder go on.
  await clock.advance(30_000)
  const last = await events.next()
  assert.equal(events.parse(last).timestamp.getTime(), endsAt.getTime() - 999)
  assert.ok(last < 2n ** 47n)
  await clock.advance(1)
  for (const call of [() => events.next(), () => events.nextSync(), () => events.nextBatch(5)]) {
    const { retryable } = await assertFails(call, 'ERR_MINTID_TIMESTAMP_EXHAUSTED')
    assert.equal(retryable, false)
  }
  assert.equal(events.tryNext(), undefined)
})

test('steps that are no steps are refused', async (t) => {
  const { clock } = await bench(t)
  for (const ms of [1.5, '5', Number.NaN, Infinity, undefined, null, 5n]) {
    await assertRefused(() => clock.walk(ms), 'ms', ms, 'an integer from ')
  }
})

test('a store that stays away costs the lease, and its return brings another', async (t) => {
  const { ids, events, store, clock } = await bench(t, { machineRange: [0, 900] })
  const minted = [await events.next()]
  const lost = []
  events.on('leaseLost', (event) => lost.push(event))
  store.fail()
  await clock.advance(30_000)
  minted.push(await events.next())
  assert.equal(ids.health().ok, true)
  await clock.advance(35_000)
  await assertFails(() => events.next(), 'ERR_MINTID_LEASE_LOST')
  await assertFails(() => events.nextSync(), 'ERR_MINTID_LEASE_LOST')
  assert.equal(events.tryNext(), undefined)
  assert.equal(events.machine, undefined)
  assert.equal(ids.health().ok, false)
  store.recover()
  await clock.advance(10_000)
  minted.push(await events.next())
  assertGrowing(minted)
  assert.equal(lost.length, 1)
  assert.equal(ids.health().ok, true)
  assert.equal(events.stats().leases, 2)
})

test('a store that does not answer keeps callers for their time and no longer', async (t) => {
  const { ids, store, clock } = createTestIds()
  t.after(() => ids.close())
  const events = ids.snowflake('events')
  store.hang()
  const patient = failureOf(() => events.next())
  const hasty = failureOf(() => events.next({ timeoutMs: 100 }))
  await clock.advance(100)
  const { code, message, cause } = await hasty
  assert.equal(code, 'ERR_MINTID_RANGE_UNAVAILABLE')
  assert.match(message, /"events" gave no id within 100 ms/)
  assert.equal(cause.code, 'ERR_MINTID_LEASE_PENDING')
  await clock.advance(2_900)
  const late = await patient
  assert.equal(late.code, 'ERR_MINTID_RANGE_UNAVAILABLE')
  assert.equal(late.cause.code, 'ERR_MINTID_STORE_ERROR')
  const ready = watched(events.ready())
  await clock.advance(60_000)
  assert.equal(ready.isDone, false)
  store.recover()
  await clock.advance(10_000)
  assert.equal(ready.isDone, true)
  assert.equal(typeof (await events.next()), 'bigint')
})
