// Calls that wait: ended by a signal, by a time limit of their own, or by what they wait for.

import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { createIds } from 'mintid'
import { inProcess } from './support/elsewhere.mjs'
import { assertFails, assertRefused, failureOf } from './support/failure.mjs'

/** A store that answers when it is let go, and counts how often it was asked. */
function gate() {
  let last = 0n
  const waiting = []
  return {
    calls: 0,
    reserve(_key, size) {
      this.calls++
      return new Promise((resolve) => {
        waiting.push(() => {
          const start = last + 1n
          last += size
          resolve({ start, end: last + 1n })
        })
      })
    },
    /** Resolves once it has been asked. */
    async asked() {
      for (let turns = 0; waiting.length === 0; turns++) {
        assert.ok(turns < 100_000, 'the store was not asked')
        await new Promise(setImmediate)
      }
    },
    open() {
      for (const answer of waiting.splice(0)) answer()
    },
  }
}

const CALLS = {
  next: (orders, options) => orders.next(options),
  nextText: (orders, options) => orders.nextText(options),
  nextBatch: (orders, options) => orders.nextBatch(5, options),
  fill: (orders, options) => orders.fill(new BigUint64Array(5), options),
  nextRange: (orders, options) => orders.nextRange(5, options),
  ready: (orders, options) => orders.ready({ count: 5, ...options }),
}

for (const [name, call] of Object.entries(CALLS)) {
  test(`${name} rejects with the reason of its signal, before and while it waits`, async () => {
    const store = gate()
    const orders = createIds(store).segment('orders')
    const reason = new Error('the user went away')
    const before = AbortSignal.abort(reason)
    assert.equal(await failureOf(() => call(orders, { signal: before })), reason)
    assert.equal(store.calls, 0)

    const controller = new AbortController()
    const pending = failureOf(() => call(orders, { signal: controller.signal }))
    await new Promise(setImmediate)
    controller.abort(reason)
    assert.equal(await pending, reason)
    assert.equal(getEventListeners(controller.signal, 'abort').length, 0)
  })

  test(`${name} waits no longer than its timeoutMs`, async () => {
    const orders = createIds(gate()).segment('orders')
    const error = await assertFails(
      () => call(orders, { timeoutMs: 20 }),
      'ERR_MINTID_RANGE_UNAVAILABLE',
    )
    assert.match(error.message, /"orders" was not refilled within 20 ms/)
  })

  test(`${name} refuses options that it does not know`, async () => {
    const orders = createIds('memory:').segment('orders')
    for (const [option, value, accepted] of [
      ['timeoutMs', 0, 'from 1'],
      ['timeoutMs', 0.5, 'whole milliseconds'],
      ['timeoutMs', '20', 'whole milliseconds'],
      ['signal', 'x', 'an AbortSignal'],
      ['timeout', 20, 'did you mean timeoutMs?'],
    ]) {
      await assertRefused(() => call(orders, { [option]: value }), option, value, accepted)
    }
    assert.equal(orders.stats().reserved, 0)
  })
}

test('a signal that lives on keeps nothing of the calls it was given to', async () => {
  const { signal } = new AbortController()
  const orders = createIds('memory:').segment('orders')
  for (let i = 0; i < 10_000; i++) await orders.next({ signal })
  await Promise.all(Array.from({ length: 10_000 }, () => orders.next({ signal })))
  assert.equal(getEventListeners(signal, 'abort').length, 0)
})

test('a caller that was aborted has drawn nothing: the others take its id', async () => {
  const store = gate()
  const orders = createIds(store).segment('orders')
  const controller = new AbortController()
  const callers = Array.from({ length: 100 }, (_, i) =>
    orders.next(i % 3 === 0 ? { signal: controller.signal } : undefined).catch(() => undefined),
  )
  await new Promise(setImmediate)
  controller.abort()
  await store.asked()
  store.open()
  const ids = (await Promise.all(callers)).filter((id) => id !== undefined)
  assert.equal(store.calls, 1)
  assert.deepEqual(
    ids,
    Array.from({ length: 66 }, (_, i) => BigInt(i + 1)),
  )
})

test('a caller that comes after all others were aborted waits on its own account', async () => {
  const store = gate()
  const orders = createIds(store).segment('orders')
  const controller = new AbortController()
  const first = failureOf(() => orders.next({ signal: controller.signal }))
  await new Promise(setImmediate)
  controller.abort()
  const second = orders.next()
  await first
  await store.asked()
  store.open()
  assert.equal(await second, 1n)
})

test('the time limit of one caller is nobody else’s', async () => {
  const store = gate()
  const orders = createIds(store).segment('orders')
  const patient = orders.next()
  await assertFails(() => orders.next({ timeoutMs: 20 }), 'ERR_MINTID_RANGE_UNAVAILABLE')
  await store.asked()
  store.open()
  assert.equal(await patient, 1n)
})

test('what an aborted batch had taken is zeroed and counted as lost', async () => {
  const store = gate()
  const orders = createIds(store).segment('orders', { policy: 'fixed', step: 10 })
  const array = new BigUint64Array(15)
  const controller = new AbortController()
  const pending = failureOf(() => orders.fill(array, { signal: controller.signal }))
  await store.asked()
  store.open()
  // The second reservation is under way once the first one has been taken.
  await store.asked()
  assert.ok(array[9] > 0n)
  controller.abort()
  await pending
  assert.ok(array.every((id) => id === 0n))
  assert.equal(orders.stats().wasted, 10)
})

test('an aborted call lets its process end', async () => {
  const { code, stdout } = await inProcess(async ({ createIds }) => {
    const orders = createIds({ reserve: () => new Promise(() => {}) }).segment('orders')
    const signal = AbortSignal.timeout(20)
    await orders.next({ signal }).catch((error) => console.log(error.name))
  })
  assert.deepEqual([code, stdout], [0, 'TimeoutError\n'])
})
