// Ids on their way in and out: text, bigint, and never a rounded number.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createIds, parseId, toSafeNumber } from 'mintid'
import { assertFails } from './support/failure.mjs'

const orders = createIds('memory:').segment('orders')
const LAST = 2n ** 63n - 2n

const BAD_TEXTS = ['', '0x10', ' 12 ', '+1', '-1', '01', '1e3', '1n', '１２', `${2n ** 63n}`]
const BAD_VALUES = [12, null, undefined, ['1'], {}, true]

for (const value of [...BAD_TEXTS, ...BAD_VALUES]) {
  test(`${JSON.stringify(value)} is no id`, async () => {
    const { message } = await assertFails(() => orders.id(value), 'ERR_MINTID_ID_INVALID')
    assert.match(message, /is no id of "orders": expected a bigint or decimal text/)
    await assertFails(() => parseId('orders', value), 'ERR_MINTID_ID_INVALID')
    const { issues } = orders.schema['~standard'].validate(value)
    assert.equal(issues[0].message, message)
  })
}

test('a text that is an id is taken exactly', () => {
  for (const id of [0n, 1n, 2n ** 53n + 1n, LAST, 2n ** 63n - 1n]) {
    assert.equal(parseId('orders', String(id)), id)
    assert.equal(orders.id(String(id)), id)
    assert.equal(orders.id(id), id)
    assert.deepEqual(orders.schema['~standard'].validate(String(id)), { value: id })
  }
})

test('a bigint that is no id is refused', async () => {
  for (const value of [-1n, 2n ** 63n, 2n ** 64n]) {
    await assertFails(() => orders.id(value), 'ERR_MINTID_ID_INVALID')
  }
  // Where text is due, a bigint has been somewhere else before.
  await assertFails(() => parseId('orders', 1n), 'ERR_MINTID_ID_INVALID')
})

test('an id becomes a number exactly or not at all', async () => {
  assert.equal(toSafeNumber(0n), 0)
  assert.equal(toSafeNumber(2n ** 53n - 1n), Number.MAX_SAFE_INTEGER)
  const { message } = await assertFails(() => toSafeNumber(2n ** 53n), 'ERR_MINTID_ID_UNSAFE')
  assert.match(message, /9007199254740992 is beyond 2\^53 - 1/)
  await assertFails(() => toSafeNumber(-1n), 'ERR_MINTID_ID_UNSAFE')
  await assertFails(() => toSafeNumber(5), 'ERR_MINTID_ID_INVALID')
})

test('nextText is the id as decimal text', async () => {
  const bills = createIds('memory:').segment('bills', { initialOffset: LAST - 99n })
  assert.equal(await bills.nextText(), String(LAST - 99n))
  assert.equal(await bills.next(), LAST - 98n)
})

test('describe tells every option as it was given', () => {
  const cases = [
    [{}, { policy: 'lookahead', step: 100, lookahead: 1000, maxBatch: 1_048_500 }],
    [{ policy: 'lookahead', step: 7, lookahead: 250, maxBatch: 70 }],
    [{ policy: 'proportional', preload: 5000, stepMin: 2, stepMax: 900 }],
    [{ policy: 'doubling', fetchDuration: 7000, stepMin: 3, stepMax: 800 }],
    [{ policy: 'fixed', step: 55 }],
  ]
  const common = { initialOffset: 5n, max: 10n ** 15n, keep: 6, reserveTimeout: 700, rangeTtl: 900 }
  const ids = createIds('memory:', { namespace: 'shop' })
  cases.forEach(([given, expected = given], i) => {
    const name = `generator ${i}`
    const told = ids.segment(name, { ...given, ...common }).describe()
    assert.deepEqual(told, {
      name,
      key: `shop/${name}`,
      store: 'memory:',
      kind: 'segment',
      ...expected,
      ...common,
      initialOffset: '5',
      max: String(10n ** 15n),
    })
  })
})

test('health is strings and numbers, and says when something is wrong', async () => {
  let isAway = false
  let last = 0n
  const store = {
    name: 'counter',
    reserve(_key, size) {
      if (isAway) throw new Error('away')
      const start = last + 1n
      last += size
      return { start, end: last + 1n }
    },
  }
  const ids = createIds(store)
  assert.deepEqual(ids.health(), { ok: true, store: 'counter', generators: [] })
  const orders = ids.segment('orders')
  assert.deepEqual(ids.health().generators, [{ name: 'orders', remaining: 0 }])
  await orders.next()
  const [{ lastRefillMs, ...rest }] = ids.health().generators
  assert.deepEqual(rest, { name: 'orders', remaining: 99 })
  assert.equal(typeof lastRefillMs, 'number')
  isAway = true
  await assertFails(() => orders.nextBatch(200), 'ERR_MINTID_RANGE_UNAVAILABLE')
  assert.equal(ids.health().ok, false)
  assert.equal(JSON.parse(JSON.stringify(ids.health())).ok, false)
})

test('a counter is raised above what is in use, and never lowered', async () => {
  const ids = createIds('memory:', { namespace: 'shop' })
  assert.equal(await ids.floor('orders', 5000n), true)
  assert.equal(await ids.floor('orders', '4000'), false)
  assert.equal(await ids.segment('orders').next(), 5001n)
  assert.deepEqual(await ids.list(), [{ key: 'shop/orders', value: 5100n, sealed: false }])
  assert.deepEqual(await ids.list('x'), [])
  await assertFails(() => ids.floor('orders', '0x10'), 'ERR_MINTID_ID_INVALID')
  await assertFails(() => ids.floor('a/b', 1n), 'ERR_MINTID_CONFIG_INVALID')
})

test('two bulk inserts through nextSync find all their ids, once keep is met', async () => {
  const orders = createIds('memory:').segment('orders', { keep: 500 })
  await orders.ready({ count: 500 })
  const rows = () => Array.from({ length: 500 }, () => orders.nextSync())
  const first = rows()
  await Promise.resolve()
  const second = rows()
  assert.deepEqual(
    [...first, ...second],
    Array.from({ length: 1000 }, (_, i) => BigInt(i + 1)),
  )
})
