// A store that another process keeps from everybody: failures are told once to each caller, cost
// one attempt, and pass when the store does its work again.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect, createIds, MintIdError } from 'mintid'
import { assertFails, failureOf } from './support/failure.mjs'
import { storeOf } from './support/folder.mjs'
import { holdLock } from './support/lock.mjs'
import { retry } from './support/retry.mjs'

const UNAVAILABLE = 'ERR_MINTID_RANGE_UNAVAILABLE'
/** The longest pause between two attempts is 5 s. */
const BACK_WITHIN_MS = 6000
/** For tests that only want a failure, and do not mind whether the store had time to give a cause. */
const HASTY = { reserveTimeout: 300 }

test('a hundred callers are told of one failed attempt, and then served again', async (t) => {
  const { file, url } = storeOf(t)
  const { release } = await holdLock(t, file)
  const ids = createIds(url)
  const orders = ids.segment('orders')
  const calls = Array.from({ length: 100 }, () => failureOf(() => orders.next()))
  for (const error of await Promise.all(calls)) {
    assert.ok(error instanceof MintIdError)
    assert.equal(error.code, UNAVAILABLE)
    assert.equal(error.retryable, true)
    assert.ok(error.cause instanceof MintIdError)
    assert.equal(error.cause.code, 'ERR_MINTID_STORE_ERROR')
    assert.ok(error.cause.message.includes(`${file}.lock`), error.cause.message)
  }
  const { failures, waits, refills } = orders.stats()
  assert.deepEqual({ failures, waits, refills }, { failures: 1, waits: 100, refills: 0 })

  // Until it is tried again callers fail at once, by the failure that there was.
  await assertFails(() => orders.next(), UNAVAILABLE)
  assert.equal(orders.stats().failures, 1)
  assert.equal(orders.tryNext(), undefined)
  await assertFails(() => orders.nextSync(), 'ERR_MINTID_SEGMENT_EMPTY')

  await release()
  const released = performance.now()
  assert.equal(await retry(() => orders.next()), 1n)
  assert.ok(performance.now() - released < BACK_WITHIN_MS)
  await ids.close()
})

test('ids in memory are served while the store is away', async (t) => {
  const { file, url } = storeOf(t)
  const orders = createIds(url).segment('orders', HASTY)
  await orders.ready()
  const { remaining } = orders.stats()
  await holdLock(t, file)
  for (let id = 1; id <= remaining; id++) assert.equal(await orders.next(), BigInt(id))
  await assertFails(() => orders.next(), UNAVAILABLE)
})

for (const [method, call] of Object.entries({
  nextBatch: (orders, array) => orders.nextBatch(array.length),
  fill: (orders, array) => orders.fill(array),
})) {
  test(`a ${method} that fails has wasted what it drew`, async (t) => {
    const { file, url } = storeOf(t)
    const ids = createIds(url)
    const orders = ids.segment('orders', { ...HASTY, policy: 'fixed', step: 10 })
    await orders.ready()
    assert.equal(await orders.next(), 1n)
    const { reserved, remaining } = orders.stats()
    const { release } = await holdLock(t, file)
    const array = new BigUint64Array(1000)
    await assertFails(() => call(orders, array), UNAVAILABLE)
    assert.ok(array.every((id) => id === 0n))
    const { issued, wasted } = orders.stats()
    assert.deepEqual({ issued, wasted }, { issued: 1, wasted: remaining })
    await release()
    assert.equal(await retry(() => orders.next()), BigInt(reserved + 1))
    await ids.close()
  })
}

test('every caller waits for as long as it may, and is told who failed', async (t) => {
  const { file, url } = storeOf(t)
  await holdLock(t, file)
  const ids = createIds(url)
  for (const [name, call] of Object.entries({
    next: (generator) => generator.next(),
    nextBatch: (generator) => generator.nextBatch(2),
    fill: (generator) => generator.fill(new BigUint64Array(2)),
    nextRange: (generator) => generator.nextRange(2),
    iteration: (generator) => generator[Symbol.asyncIterator]().next(),
  })) {
    const generator = ids.segment(name, { reserveTimeout: 50 })
    const { message } = await assertFails(() => call(generator), UNAVAILABLE)
    assert.ok(message.includes(`"${name}"`), message)
  }
})

test('connect and ready say that the store is not available, and why', async (t) => {
  const { file, url } = storeOf(t)
  const { release } = await holdLock(t, file)
  for (const call of [
    () => connect(url, { connectTimeout: 300 }),
    () => createIds(url, { connectTimeout: 300 }).ready(),
    () => createIds(url).segment('orders', HASTY).ready(),
  ]) {
    const error = await assertFails(call, 'ERR_MINTID_STORE_UNAVAILABLE')
    assert.equal(error.retryable, true)
    assert.ok(error.message.includes(url), error.message)
    assert.ok(error.cause instanceof MintIdError)
  }
  await release()
  const ids = await retry(() => connect(url))
  assert.equal(await ids.segment('bills').next(), 1n)
  await ids.close()
})

test('ready says so too while a failed refill is not yet tried again', async (t) => {
  const { file, url } = storeOf(t)
  await holdLock(t, file)
  const orders = createIds(url).segment('orders', HASTY)
  await assertFails(() => orders.next(), UNAVAILABLE)
  await assertFails(() => orders.ready(), 'ERR_MINTID_STORE_UNAVAILABLE')
})
