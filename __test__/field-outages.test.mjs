// What goes wrong while a store is away, and after it has come back.

import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect } from 'mintid'
import { createTestIds } from 'mintid/testing'
import { assertFails, failureOf } from './support/failure.mjs'
import { folderOf } from './support/folder.mjs'
import { assertGrowing } from './support/ids.mjs'

const UNAVAILABLE = 'ERR_MINTID_RANGE_UNAVAILABLE'

function bench(t, segment) {
  const made = createTestIds()
  t.after(() => made.ids.close())
  return { ...made, orders: made.ids.segment('orders', segment) }
}

const times = (count, call) => Promise.all(Array.from({ length: count }, call))

test('a hundred callers of a failed refill cost one call, and the next hundred one more (case 2)', async (t) => {
  const { store, clock, orders } = bench(t, { lookahead: 0 })
  store.delay(30)
  store.failNext(1, 'no such luck')
  const failedAt = new Set()
  const callers = times(100, async () => {
    const { message } = await assertFails(() => orders.next(), UNAVAILABLE)
    assert.match(message, /no such luck/)
    failedAt.add(clock.now())
  })
  await clock.advance(30)
  await callers
  assert.equal(failedAt.size, 1)
  assert.equal(store.calls, 1)

  await clock.advance(100)
  const next = times(100, () => orders.next())
  await clock.advance(30)
  assertGrowing(await next)
  assert.equal(store.calls, 2)
})

test('a hundred callers of a store that hangs give up together, and it is found when it is back (case 12)', async (t) => {
  const { store, clock, orders } = bench(t)
  store.hang()
  let failed = 0
  const callers = times(100, async () => {
    await assertFails(() => orders.next(), UNAVAILABLE)
    failed++
  })
  await clock.advance(2_999)
  assert.equal(failed, 0)
  await clock.advance(1)
  await callers
  // Until the retry time nobody waits for a store that is known to hang.
  await assertFails(() => orders.next(), UNAVAILABLE)
  assert.equal(clock.now(), 3_000)
  store.recover()
  await clock.advance(5_000)
  assert.equal(typeof (await orders.next()), 'bigint')
})

test('a store that refuses is asked a few times a second, however many callers insist (case 14)', async (t) => {
  const { store, clock, orders } = bench(t)
  let told = 0
  orders.on('refillFailed', () => told++)
  store.fail()
  while (clock.now() < 1_000) {
    await times(8, () => assertFails(() => orders.next(), UNAVAILABLE))
    await clock.advance(5)
  }
  // At 0, 100, 300 and 700 ms.
  assert.equal(store.calls, 4)
  assert.equal(told, store.calls)

  store.recover()
  const recovered = clock.now()
  while ((await orders.next().catch(() => undefined)) === undefined) await clock.advance(5)
  assert.ok(clock.now() - recovered <= 5_000, `served after ${clock.now() - recovered} ms`)
})

test('a process whose first start failed is as good as new (cases 13 and 101)', async (t) => {
  const folder = folderOf(t)
  const [good, missing] = [`sqlite:${join(folder, 'ids.db')}`, join(folder, 'missing')]
  const bad = `sqlite:${join(missing, 'ids.db')}`
  const first = await failureOf(() => connect(bad))
  const ids = await connect(good)
  const orders = ids.segment('orders')
  assert.equal(await orders.next(), 1n)
  const third = await failureOf(() => connect(bad))
  for (const { code, message } of [first, third]) {
    assert.equal(code, 'ERR_MINTID_CONFIG_INVALID')
    assert.ok(message.includes(missing), message)
  }
  assert.equal(await orders.next(), 2n)

  mkdirSync(missing)
  const mended = await connect(bad)
  assert.equal(await mended.segment('orders').next(), 1n)
  assert.equal(await orders.next(), 3n)
  await Promise.all([ids.close(), mended.close()])
})
