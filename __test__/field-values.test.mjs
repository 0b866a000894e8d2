// What goes wrong with values: counters that reach the end of 64 bits, ids that turn into rounded
// numbers, durations that turn into others, objects that two owners write to.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createIds } from 'mintid'
import { createTestIds } from 'mintid/testing'
import { assertFails } from './support/failure.mjs'
import { storeOf } from './support/folder.mjs'

const HIGHEST_ID = 2n ** 63n - 2n
const LONGEST_MS = 2 ** 31 - 1

/** A store whose counter `orders` has so many ids left. */
async function nearTheEnd(t, url, left) {
  const ids = createIds(url)
  t.after(() => ids.close())
  await ids.floor('orders', HIGHEST_ID - left)
  return ids
}

for (const [what, urlOf] of Object.entries({
  'in memory': () => 'memory:',
  'in a file': (t) => storeOf(t).url,
})) {
  test(`a counter ${what} serves its last id, and then fails and stays (case 19)`, async (t) => {
    const ids = await nearTheEnd(t, urlOf(t), 1n)
    const orders = ids.segment('orders', { step: 1 })
    assert.equal(await orders.next(), HIGHEST_ID)
    for (let i = 0; i < 3; i++) {
      for (const call of [
        () => orders.next(),
        () => orders.nextBatch(2),
        () => orders.nextRange(1),
      ]) {
        await assertFails(call, 'ERR_MINTID_RANGE_EXHAUSTED')
      }
    }
    assert.deepEqual(await ids.list(), [{ key: 'orders', value: HIGHEST_ID, sealed: false }])
  })

  test(`a counter ${what} with too few ids for a step keeps them (case 19)`, async (t) => {
    const ids = await nearTheEnd(t, urlOf(t), 50n)
    const orders = ids.segment('orders', { step: 100 })
    await assertFails(() => orders.next(), 'ERR_MINTID_RANGE_EXHAUSTED')
    assert.deepEqual(await ids.list(), [{ key: 'orders', value: HIGHEST_ID - 50n, sealed: false }])
  })
}

test('ids are bigint on both sides of what a number holds, and exact (case 76)', async () => {
  const start = 2n ** 53n - 3n
  const orders = createIds('memory:').segment('orders', { initialOffset: start, step: 100 })
  const loop = orders[Symbol.asyncIterator]()
  const taken = [
    await orders.next(),
    orders.nextSync(),
    orders.tryNext(),
    ...(await orders.nextBatch(2)),
    ...(await orders.fill(new BigUint64Array(2))),
    (await loop.next()).value,
    orders.id(await orders.nextText()),
  ]
  assert.deepEqual(
    taken,
    Array.from(taken, (_, i) => start + BigInt(i)),
  )
  const range = await orders.nextRange(1)
  assert.deepEqual(range, { start: start + 100n, end: start + 101n })
})

test('the longest duration is one, and no timer that fires at once (case 84)', async (t) => {
  const { ids, store, clock } = createTestIds({ connectTimeout: LONGEST_MS })
  t.after(() => ids.close())
  const orders = ids.segment('orders', {
    reserveTimeout: LONGEST_MS,
    rangeTtl: LONGEST_MS,
    lookahead: LONGEST_MS,
  })
  store.hang()
  let settled = 0
  const waiting = [
    assertFails(() => orders.next(), 'ERR_MINTID_RANGE_UNAVAILABLE'),
    assertFails(() => orders.next({ timeoutMs: LONGEST_MS }), 'ERR_MINTID_RANGE_UNAVAILABLE'),
    assertFails(() => ids.ready(), 'ERR_MINTID_STORE_UNAVAILABLE'),
  ]
  for (const each of waiting) each.then(() => settled++)
  await clock.advance(LONGEST_MS - 1)
  assert.equal(settled, 0)
  await clock.advance(1)
  await Promise.all(waiting)
})

test('the longest timeoutMs is no timer that fires at once (case 84)', async (t) => {
  const ids = createIds({ reserve: () => new Promise(() => {}) })
  t.after(() => ids.close())
  const orders = ids.segment('orders', { reserveTimeout: LONGEST_MS })
  let settled = 0
  const settle = () => settled++
  for (const call of [
    orders.next({ timeoutMs: LONGEST_MS }),
    orders.nextRange(5, { timeoutMs: LONGEST_MS }),
    orders.ready({ timeoutMs: LONGEST_MS }),
  ]) {
    call.then(settle, settle)
  }
  // That of a timer whose time was cut to 1 ms is over by then.
  await sleep(50)
  assert.equal(settled, 0)
})

test('what is handed out belongs to the caller, and what is handed in stays its own (case 85)', async () => {
  const ids = createIds('memory:')
  const options = { step: 7, policy: 'fixed' }
  const orders = ids.segment('orders', options)
  options.step = 500
  options.initialOffset = 1_000
  const array = await orders.fill(new BigUint64Array(5))
  array.fill(0n)
  const batch = await orders.nextBatch(2)
  batch.fill(0n)
  // The batch shares no memory with what is handed out next.
  assert.deepEqual([...(await orders.nextBatch(14))], range(8n, 22n))

  for (const look of [() => orders.describe(), () => ids.health(), () => ids.list()]) {
    const before = structuredClone(await look())
    spoil(await look())
    assert.deepEqual(await look(), before, `${look}`)
  }
  const run = await orders.nextRange(5)
  const { end } = run
  spoil(run)
  assert.equal((await orders.nextRange(5)).start, end)
  assert.equal(orders.describe().step, 7)
})

const range = (start, end) =>
  Array.from({ length: Number(end - start) }, (_, i) => start + BigInt(i))

/** Overwrites all that can be overwritten in an object and in those inside it. */
function spoil(object) {
  for (const [name, value] of Object.entries(object)) {
    if (typeof value === 'object' && value !== null) spoil(value)
    object[name] = 'spoiled'
  }
}
