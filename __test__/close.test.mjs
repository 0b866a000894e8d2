// What `close` ends, and what it leaves alone.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createIds } from 'mintid'
import { assertFails } from './support/failure.mjs'
import { storeOf } from './support/folder.mjs'
import { assertGrowing } from './support/ids.mjs'
import { holdLock } from './support/lock.mjs'

const CLOSED = 'ERR_MINTID_CLOSED'

const CALLS = {
  next: (orders) => orders.next(),
  tryNext: (orders) => orders.tryNext(),
  nextSync: (orders) => orders.nextSync(),
  nextBatch: (orders) => orders.nextBatch(1),
  nextRange: (orders) => orders.nextRange(1),
  fill: (orders) => orders.fill(new BigUint64Array(1)),
  ready: (orders) => orders.ready(),
  stats: (orders) => orders.stats(),
  iteration: (orders) => orders[Symbol.asyncIterator]().next(),
}

/** Long enough that no call here ends by the passing of time. */
const PATIENT = { reserveTimeout: 60_000 }

for (const [end, close] of Object.entries({
  'close()': (orders) => orders.close(),
  'close() of the store': (_, ids) => ids.close(),
  'Symbol.asyncDispose': (orders) => orders[Symbol.asyncDispose](),
  'Symbol.asyncDispose of the store': (_, ids) => ids[Symbol.asyncDispose](),
})) {
  test(`after ${end} every call is refused`, async () => {
    const ids = createIds('memory:')
    const orders = ids.segment('orders')
    assert.equal(await orders.next(), 1n)
    assert.equal(await close(orders, ids), undefined)
    for (const call of Object.values(CALLS)) {
      const { message } = await assertFails(() => call(orders), CLOSED)
      assert.match(message, /orders/)
    }
    assert.equal(await close(orders, ids), undefined)
    assert.equal(orders.name, 'orders')
  })
}

test('a closed store makes no generators and is not ready', async () => {
  const ids = createIds('memory:')
  await ids.close()
  await assertFails(() => ids.segment('orders'), CLOSED)
  await assertFails(() => ids.ready(), CLOSED)
  assert.equal(ids.store, 'memory:')
})

for (const method of ['next', 'nextBatch', 'fill', 'ready', 'nextRange', 'iteration']) {
  test(`close rejects a waiting ${method} at once, and no other handle's`, async (t) => {
    const { file, url } = storeOf(t)
    const { release } = await holdLock(t, file)
    const ids = createIds(url)
    const [closing, other] = [ids.segment('orders', PATIENT), ids.segment('orders')]
    const waiting = CALLS[method](closing)
    const others = CALLS[method](other)
    // The lock is held: nothing but the closing can answer.
    await Promise.all([assertFails(() => waiting, CLOSED), closing.close()])
    await release()
    await others
    await ids.close()
  })
}

test('close of the last handle and of the store reject everybody who waits', async (t) => {
  const { file, url } = storeOf(t)
  const { release } = await holdLock(t, file)
  for (const close of [(_, orders) => orders.close(), (ids) => ids.close()]) {
    const ids = createIds(url)
    const orders = ids.segment('orders', PATIENT)
    const waiting = ['next', 'nextBatch', 'fill', 'ready', 'nextRange'].flatMap((method) =>
      Array.from({ length: 20 }, () => assertFails(() => CALLS[method](orders), CLOSED)),
    )
    const closing = close(ids, orders)
    await Promise.all(waiting)
    await Promise.all([closing, release()])
    await ids.close()
  }
})

test('an array that close cut short holds zeros, and its ids are wasted', async (t) => {
  const { file, url } = storeOf(t)
  const ids = createIds(url)
  const [closing, other] = [ids.segment('orders', { policy: 'fixed', step: 10 })].concat(
    ids.segment('orders'),
  )
  await closing.ready()
  const { release } = await holdLock(t, file)
  const array = new BigUint64Array(1000)
  const filling = assertFails(() => closing.fill(array), CLOSED)
  await closing.close()
  await filling
  assert.ok(array.every((id) => id === 0n))
  const { issued, wasted, reserved } = other.stats()
  assert.deepEqual({ issued, wasted }, { issued: 0, wasted: reserved })
  await release()
  await ids.close()
})

test('a handle goes on when another is closed, with the ids that are in memory', async () => {
  const ids = createIds('memory:')
  const [one, other] = [ids.segment('orders'), ids.segment('orders')]
  assert.equal(await one.next(), 1n)
  await one.close()
  await one.close()
  assert.equal(await other.next(), 2n)
  assert.equal(other.stats().refills, 1)
  const third = ids.segment('orders')
  await other.close()
  assert.equal(await third.next(), 3n)
})

test('closing a store closes its own generators and no others', async () => {
  const [one, other] = [createIds('memory:two-stores'), createIds('memory:two-stores')]
  const generators = ['orders', 'bills', 'orders'].map((name) => one.segment(name))
  const left = other.segment('orders')
  assert.equal(await generators[0].next(), 1n)
  await one.close()
  for (const generator of generators) await assertFails(() => generator.next(), CLOSED)
  assert.equal(await left.next(), 2n)
})

for (const [what, place] of Object.entries({
  'a file': (t) => storeOf(t).url,
  'named memory': () => 'memory:opened-again',
})) {
  test(`${what} that is opened again goes on above, even with other options`, async (t) => {
    const url = place(t)
    const minted = []
    for (const step of [100, 7, 1]) {
      const ids = createIds(url)
      const orders = ids.segment('orders', { step })
      minted.push(...(await orders.nextBatch(10)))
      await ids.close()
    }
    assertGrowing(minted)
  })
}

test('a handle made while the last one closes is a sound one', async (t) => {
  const { url } = storeOf(t)
  const minted = []
  const closings = []
  for (let round = 0; round < 20; round++) {
    const ids = createIds(url)
    minted.push(await ids.segment('orders').next())
    // Not awaited here: the next store opens while this one ends.
    closings.push(ids.close())
  }
  await Promise.all(closings)
  assertGrowing(minted)
})
