// The counts of a generator.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createIds } from 'mintid'
import { assertAddsUp } from './support/ids.mjs'

const FIELDS = [
  'issued',
  'reserved',
  'wasted',
  'refills',
  'failures',
  'waits',
  'step',
  'remaining',
  'ratePerSecond',
]

test('a generator that did nothing has counted nothing', () => {
  const { step, ...rest } = createIds('memory:').segment('orders', { step: 250 }).stats()
  assert.equal(step, 250)
  for (const [name, value] of Object.entries(rest)) assert.equal(value, 0, name)
})

test('stats are plain numbers of the fields that there are', async () => {
  const orders = createIds('memory:').segment('orders')
  await orders.nextBatch(1000)
  const stats = orders.stats()
  assert.deepEqual(Object.keys(stats).sort(), FIELDS.toSorted())
  for (const [name, value] of Object.entries(stats)) {
    assert.ok(Number.isFinite(value) && value >= 0, `${name} = ${value}`)
    if (name !== 'ratePerSecond') assert.ok(Number.isInteger(value), `${name} = ${value}`)
  }
  assert.deepEqual(JSON.parse(JSON.stringify(stats)), stats)
})

test('every id is counted once, whichever call handed it out', async () => {
  const ids = createIds('memory:')
  const [orders, other] = [ids.segment('orders', { step: 50, keep: 50 }), ids.segment('orders')]
  let issued = 0
  for (const [count, call] of [
    [1, () => orders.next()],
    [1, () => other.nextSync()],
    [1, () => orders.tryNext()],
    [20, () => other.nextBatch(20)],
    [7, () => orders.fill(new BigUint64Array(7))],
    [500, () => orders.nextRange(500)],
    [3000, () => other.nextBatch(3000)],
    [1, () => orders[Symbol.asyncIterator]().next()],
    [0, () => orders.ready({ count: 100 })],
  ]) {
    await call()
    issued += count
    const stats = orders.stats()
    assert.equal(stats.issued, issued, `${call}`)
    assert.equal(stats.wasted, 0)
    assertAddsUp(stats)
    assert.equal(other.stats().issued, issued)
  }
})

test('refills count the reservations granted, and waits those who waited', async () => {
  const orders = createIds('memory:').segment('orders', { step: 10, lookahead: 0 })
  await Promise.all(Array.from({ length: 10 }, () => orders.next()))
  const { refills, waits, reserved, failures } = orders.stats()
  assert.deepEqual(
    { refills, waits, reserved, failures },
    { refills: 1, waits: 10, reserved: 10, failures: 0 },
  )
  await orders.nextRange(5)
  assert.equal(orders.stats().refills, 2)
  assert.equal(orders.stats().reserved, 15)
})

test('changing what stats gave changes nothing', async () => {
  const orders = createIds('memory:').segment('orders')
  await orders.next()
  const stats = orders.stats()
  const before = { ...stats }
  for (const name of FIELDS) stats[name] = -1
  const { ratePerSecond, ...counts } = orders.stats()
  assert.deepEqual({ ...counts, ratePerSecond: before.ratePerSecond }, before)
  assert.ok(ratePerSecond >= 0)
  assert.equal(await orders.next(), 2n)
})
