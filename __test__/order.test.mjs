// Within a realm ids grow from call to call, whichever handle and method serves them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createIds } from 'mintid'
import { assertFails } from './support/failure.mjs'
import { storeOf } from './support/folder.mjs'
import { assertDistinct, assertGrowing } from './support/ids.mjs'

test('thousands of callers that find nothing are served in the order of their calls', async () => {
  const orders = createIds('memory:').segment('orders')
  const served = []
  const calls = Array.from({ length: 5000 }, async (_, call) => {
    const id = await orders.next()
    served.push(call)
    return id
  })
  assertGrowing(await Promise.all(calls))
  assertGrowing(served)
  const { waits, failures } = orders.stats()
  assert.deepEqual({ waits, failures }, { waits: 5000, failures: 0 })
})

test('callers of all kinds stand behind one queue', async (t) => {
  const { url } = storeOf(t)
  const ids = createIds(url)
  const [one, other] = [ids.segment('orders', { step: 7 }), ids.segment('orders')]
  const calls = [
    () => one.next(),
    () => other.nextBatch(20),
    () => other.next(),
    () => one.fill(new BigUint64Array(3)),
    () => one.nextBatch(1),
    () => other.fill(new BigUint64Array(200)),
    () => one.next(),
  ]
  for (let round = 0; round < 50; round++) {
    const answers = await Promise.all(calls.map((call) => call()))
    assertGrowing(answers.flatMap((answer) => (typeof answer === 'bigint' ? answer : [...answer])))
  }
  await ids.close()
})

test('ids grow over every mixture of handles and methods', async (t) => {
  const { url } = storeOf(t)
  const ids = createIds(url)
  const handles = [ids.segment('orders', { step: 50, keep: 200 }), ids.segment('orders')]
  await handles[0].ready()
  const endless = handles.map((handle) => handle[Symbol.asyncIterator]())
  const methods = [
    async (handle) => [await handle.next()],
    async (handle) => [...(await handle.nextBatch(3))],
    async (handle) => [...(await handle.fill(new BigUint64Array(5)))],
    (handle) => [handle.tryNext() ?? []].flat(),
    (handle) => [handle.nextSync()],
    async (_, which) => [(await endless[which].next()).value],
    async (handle) => [...(await handle.nextBatch(60))],
  ]
  const minted = []
  let which = 0
  for (let turn = 0; turn < 1400; turn++) {
    const method = methods[turn % methods.length]
    // Seven methods and three turns to a handle: every method comes to every handle.
    if (turn % 3 === 0) which = 1 - which
    // A synchronous call may find nothing; that it serves nobody is no break of the order.
    await handles[which].ready()
    minted.push(...(await method(handles[which], which)))
  }
  assertGrowing(minted)
  await ids.close()
})

test('a synchronous call never passes those who wait', async () => {
  const orders = createIds('memory:').segment('orders', { policy: 'fixed', step: 10 })
  const waiting = [orders.next(), orders.nextBatch(25), orders.next()]
  assert.equal(orders.tryNext(), undefined)
  await assertFails(() => orders.nextSync(), 'ERR_MINTID_SEGMENT_EMPTY')
  const answers = (await Promise.all(waiting)).flatMap((answer) =>
    typeof answer === 'bigint' ? answer : [...answer],
  )
  assert.deepEqual(
    answers,
    Array.from({ length: 27 }, (_, i) => BigInt(i + 1)),
  )
})

test('nobody takes the ids that came for those who wait', async () => {
  const orders = createIds('memory:').segment('orders')
  const waiting = orders.nextBatch(5)
  await Promise.resolve()
  // The refill arrives while this thread is busy, and its waiter has not run yet.
  while (orders.stats().remaining === 0);
  const later = [orders.nextBatch(5), orders.fill(new BigUint64Array(5)), orders.next()]
  assert.equal(orders.tryNext(), undefined)
  assert.deepEqual([...(await waiting)], [1n, 2n, 3n, 4n, 5n])
  const [batch, filled, next] = await Promise.all(later)
  assertGrowing([5n, ...batch, ...filled, next])
})

test('tryNext starts the refill that it found wanting', async () => {
  const orders = createIds('memory:').segment('orders')
  assert.equal(orders.tryNext(), undefined)
  while (orders.stats().refills === 0) await new Promise(setImmediate)
  assert.equal(orders.tryNext(), 1n)
  assert.equal(orders.nextSync(), 2n)
})

for (const [policy, options] of Object.entries({
  fixed: { policy: 'fixed', step: 10 },
  lookahead: { step: 10 },
  'lookahead without any': { step: 10, lookahead: 0 },
  proportional: { policy: 'proportional' },
  doubling: { policy: 'doubling' },
})) {
  test(`batches larger than a segment are whole and dense (${policy})`, async () => {
    const orders = createIds('memory:').segment('orders', options)
    const minted = []
    for (const n of [1, 9, 10, 11, 1000, 12_345, 1]) {
      const batch = await orders.nextBatch(n)
      assert.ok(batch instanceof BigUint64Array)
      assert.equal(batch.length, n)
      minted.push(...batch)
    }
    assert.deepEqual(
      minted,
      Array.from(minted, (_, i) => BigInt(i + 1)),
    )
  })
}

test('no id is skipped or repeated while the block grows', async () => {
  const orders = createIds('memory:').segment('orders', { step: 10_000 })
  const count = 100_000
  for (let expected = 1n; expected <= count; expected++) {
    const id = await orders.next()
    if (id !== expected) assert.fail(`${id} in the place of ${expected}`)
  }
  const { issued, failures } = orders.stats()
  assert.deepEqual({ issued, failures }, { issued: count, failures: 0 })
})

test('ids too old to be handed out are dropped, also those of the block', async () => {
  const rangeTtl = 100
  const orders = createIds('memory:').segment('orders', { policy: 'fixed', step: 100, rangeTtl })
  const first = await orders.next()
  // The age counts from before the first id came, so they are too old by then.
  await sleep(rangeTtl)
  const second = await orders.next()
  assert.ok(second >= first + 100n, `${second} is of the segment of ${first}`)
  const { issued, wasted } = orders.stats()
  assert.equal(issued, 2)
  assert.ok(wasted >= 99, `${wasted} wasted`)
})

test('a range is one run, and nobody else gets an id of it', async () => {
  const orders = createIds('memory:').segment('orders', { policy: 'fixed', step: 10 })
  const minted = []
  for (const size of [1, 10, 1000, 3]) {
    minted.push(await orders.next())
    const [range, batch] = await Promise.all([orders.nextRange(size), orders.nextBatch(30)])
    assert.equal(typeof range.start, 'bigint')
    assert.equal(range.end - range.start, BigInt(size))
    for (let id = range.start; id < range.end; id++) minted.push(id)
    minted.push(...batch)
  }
  assertDistinct(minted)
  assert.equal(orders.stats().issued, minted.length)
})

test('a range lies above what was minted before, and ends at the highest id at most', async () => {
  const orders = createIds('memory:').segment('orders', { initialOffset: 100, max: 1099 })
  assert.equal(await orders.next(), 100n)
  await assertFails(() => orders.nextRange(1000), 'ERR_MINTID_RANGE_EXHAUSTED')
  const { start, end } = await orders.nextRange(900)
  assert.deepEqual({ start, end }, { start: 200n, end: 1100n })
  // The refusal of one range ends nothing.
  assert.equal(await orders.next(), 101n)
})

test('a counter ends with its highest id', async () => {
  const max = 2n ** 63n - 2n
  const orders = createIds('memory:').segment('orders', { initialOffset: max - 4n, step: 1 })
  assert.deepEqual(
    [...(await orders.nextBatch(5))],
    [4n, 3n, 2n, 1n, 0n].map((back) => max - back),
  )
  await assertFails(() => orders.next(), 'ERR_MINTID_RANGE_EXHAUSTED')
  await assertFails(() => orders.nextBatch(2), 'ERR_MINTID_RANGE_EXHAUSTED')
  assert.equal(orders.tryNext(), undefined)
})
