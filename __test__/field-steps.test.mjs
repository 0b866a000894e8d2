// What goes wrong with the size of reservations: callers that fail where they could wait, refills
// that stop, ids thrown away. The clock is moved by hand wherever it can be.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createIds } from 'mintid'
import { createTestIds } from 'mintid/testing'
import { inProcess } from './support/elsewhere.mjs'
import { failureOf } from './support/failure.mjs'
import { storeOf } from './support/folder.mjs'
import { assertDistinct, assertGrowing } from './support/ids.mjs'
import { newTable, TableStore } from './support/own-store.mjs'

function bench(t, segment) {
  const made = createTestIds()
  t.after(() => made.ids.close())
  return { ...made, orders: made.ids.segment('orders', segment) }
}

for (const [policy, options, mostCalls] of [
  ['lookahead', { step: 10 }, 3],
  ['fixed', { policy: 'fixed', step: 10, reserveTimeout: 10_000 }, 102],
]) {
  test(`a small step under load makes callers wait and none fail: ${policy} (case 1)`, async (t) => {
    const { store, clock, orders } = bench(t, options)
    store.delay(50)
    const calls = Array.from({ length: 1_000 }, () => orders.next())
    await clock.advance(6_000)
    assertGrowing(await Promise.all(calls))
    assert.ok(store.calls <= mostCalls, `${store.calls} reservations`)
    assert.equal(orders.stats().failures, 0)
  })
}

test('a failed early refill is tried again, and no caller notices (case 3)', async (t) => {
  const { store, clock, orders } = bench(t, { policy: 'fixed', step: 100 })
  let failures = 0
  orders.on('refillFailed', () => failures++)
  await orders.ready()
  store.failNext()
  // At this pace the half segment that is left when the refill fails lasts for 500 ms.
  for (let taken = 0; taken < 1_000; taken += 5) {
    await orders.nextBatch(5)
    await clock.advance(50)
  }
  assert.equal(failures, 1)
  assert.equal(orders.stats().failures, 1)
  assert.equal(orders.stats().waits, 0)
})

const SERVICE = { policy: 'fixed', step: 2_000 }
const TAKEN = 27

test('a restart loses what stats tell, and no more (case 6)', async (t) => {
  const { url } = storeOf(t)
  const before = createIds(url)
  const orders = before.segment('orders', SERVICE)
  for (let i = 0; i < TAKEN; i++) await orders.next()
  const { issued, reserved } = orders.stats()
  assert.deepEqual({ issued, reserved }, { issued: TAKEN, reserved: SERVICE.step })
  await before.close()
  const after = createIds(url)
  assert.equal(await after.segment('orders', SERVICE).next(), BigInt(reserved + 1))
  await after.close()
})

test('a process that is killed takes its segment with it, and repeats no id (case 6)', async (t) => {
  const { url } = storeOf(t)
  const program = async ({ createIds }, { url, taken, options }) => {
    const orders = createIds(url).segment('orders', options)
    for (let i = 0; i < taken; i++) await orders.next()
    process.kill(process.pid, 'SIGKILL')
  }
  const { signal } = await inProcess(program, { url, taken: TAKEN, options: SERVICE })
  assert.equal(signal, 'SIGKILL')
  const ids = createIds(url)
  assert.equal(await ids.segment('orders', SERVICE).next(), BigInt(SERVICE.step + 1))
  await ids.close()
})

test('a service that takes ten ids a second has at most 200 to lose (case 6)', async (t) => {
  const { clock, orders } = bench(t)
  for (let i = 0; i < TAKEN; i++) {
    await orders.next()
    await clock.advance(100)
  }
  const { issued, reserved } = orders.stats()
  assert.equal(issued, TAKEN)
  assert.ok(reserved - issued <= 200, `${reserved - issued} ids in memory`)
})

/** Generators of one counter that know nothing of each other, as in three processes. */
function nodes(t, options) {
  const table = newTable()
  return Array.from({ length: 3 }, () => {
    const ids = createIds(new TableStore(table))
    t.after(() => ids.close())
    return ids.segment('orders', options)
  })
}

test('each of several nodes counts upwards, and all of them together do not (case 9)', async (t) => {
  const served = nodes(t, SERVICE).map((orders) => ({ orders, ids: [] }))
  const all = []
  for (let round = 0; round < 1_500; round++) {
    for (const { orders, ids } of served) {
      ids.push(await orders.next())
      all.push(ids.at(-1))
    }
  }
  for (const { ids } of served) assertGrowing(ids)
  assertDistinct(all)
  assert.throws(() => assertGrowing(all))
})

test('with rangeTtl no node hands out an id that others have long passed (case 9)', async (t) => {
  const rangeTtl = 40
  const handedOut = []
  const serve = async (orders) => {
    // A caller knows only that its id was handed out between these two.
    const from = performance.now()
    const id = await orders.next()
    handedOut.push({ id, from, to: performance.now() })
  }
  const generators = nodes(t, { ...SERVICE, rangeTtl })
  await Promise.all(
    generators.map(async (orders, node) => {
      while (orders.stats().refills < 8) {
        await serve(orders)
        await sleep(3 + node)
      }
    }),
  )
  for (const orders of generators) assert.ok(orders.stats().wasted > 0)
  for (const { id, to } of handedOut) {
    const lower = handedOut.find((later) => later.from > to + 2 * rangeTtl && later.id < id)
    assert.equal(lower, undefined, `${id} at ${to}, ${lower?.id} at ${lower?.from}`)
  }
})

test('callers that give up leave the segment to those who follow (case 11)', async (t) => {
  const { store, clock, orders } = bench(t, { initialOffset: 1_000 })
  store.delay(1_400)
  const callers = Array.from({ length: 100 }, (_, i) => {
    const controller = new AbortController()
    const failure = failureOf(() => orders.next({ signal: controller.signal }))
    return { at: (i * 373) % 1_399, controller, failure }
  })
  let now = 0
  for (const { at, controller, failure } of callers.toSorted((a, b) => a.at - b.at)) {
    await clock.advance(at - now)
    now = at
    controller.abort()
    assert.equal((await failure).name, 'AbortError')
  }
  const next = [orders.next(), orders.next()]
  await clock.advance(1_400 - now)
  assert.deepEqual(await Promise.all(next), [1_000n, 1_001n])
  assert.equal(store.calls, 1)
})
