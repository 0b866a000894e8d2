// What is in the place of a counter, and counters that no double can hold.

import assert from 'node:assert/strict'
import { test as anyTest } from 'node:test'
import { assertFails } from './support/failure.mjs'
import { assertUnavailable, countersOf, idsOf, ownServer } from './support/redis.mjs'
import { retry } from './support/retry.mjs'
import { freshKey, withoutServers } from './support/servers.mjs'

const test = (name, body) => anyTest(name, { skip: withoutServers }, body)

const EXHAUSTED = 'ERR_MINTID_RANGE_EXHAUSTED'
const REFUSED = 'ERR_MINTID_STORE_ERROR'
const HIGHEST_ID = 2n ** 63n - 2n
/** Of each kind that has its own numbers inside: Lua's are doubles. */
const KINDS = ['redis7', 'redis8', 'valkey9', 'kvrocks']

/** Values that are no highest id, of which the last is one past the last id. */
const STRAY = ['abc', '', '1e3', '007', '+1', ' 5', '1.5', '-100', '-0', '9223372036854775807']

test('a stray value is named, stays as it is, and stops no other key (case 18)', async (t) => {
  const own = await ownServer(t)
  const ids = idsOf(t, own.url)
  for (const [at, value] of STRAY.entries()) {
    const name = `orders${at}`
    await own.call('HSET', 'kvid', name, value)
    const orders = ids.segment(name)
    const calls = [
      () => orders.next(),
      () => orders.nextBatch(3),
      () => orders.nextRange(3),
      () => orders.nextText(),
    ]
    for (const call of calls) {
      const { message } = await assertUnavailable(call, REFUSED)
      assert.ok(message.includes(`"${name}"`), message)
      assert.ok(message.includes(JSON.stringify(value)), message)
    }
    const { message } = await assertFails(() => orders.ready(), REFUSED)
    assert.ok(message.includes(JSON.stringify(value)), message)
    assert.equal(orders.tryNext(), undefined)
    assert.equal(await own.call('HGET', 'kvid', name), value)
    assert.equal(await ids.segment(`others${at}`).next(), 1n)
  }
})

test('a stray value is refused by floor and list as well (case 18)', async (t) => {
  const own = await ownServer(t)
  const ids = idsOf(t, own.url)
  await own.call('HSET', 'kvid', 'orders', '1e3')
  for (const call of [() => ids.floor('orders', 5n), () => ids.list()]) {
    const { message } = await assertFails(call, REFUSED)
    assert.match(message, /"orders".*"1e3"/)
  }
  assert.deepEqual(await countersOf(own), { orders: '1e3' })
})

test('a stray value that was put right is served from (case 18)', async (t) => {
  const own = await ownServer(t)
  const orders = idsOf(t, own.url).segment('orders')
  await own.call('HSET', 'kvid', 'orders', 'abc')
  await assertUnavailable(() => orders.next(), REFUSED)
  await own.call('HSET', 'kvid', 'orders', '500')
  assert.ok((await retry(() => orders.next())) > 500n)
})

for (const [type, ...words] of [
  ['string', 'SET', 'value'],
  ['list', 'RPUSH', 'value'],
  ['set', 'SADD', 'value'],
]) {
  test(`a ${type} at the key is left alone, and no hash is made of it (case 18)`, async (t) => {
    const own = await ownServer(t)
    const [command, value] = words
    await own.call(command, 'kvid', value)
    const ids = idsOf(t, own.url)
    const orders = ids.segment('orders')
    for (const call of [() => orders.next(), () => orders.nextRange(3)]) {
      const { message } = await assertUnavailable(call, REFUSED)
      assert.match(message, /WRONGTYPE/)
    }
    for (const call of [() => orders.ready(), () => ids.floor('orders', 5n), () => ids.list()]) {
      await assertFails(call, REFUSED)
    }
    assert.equal(await own.call('TYPE', 'kvid'), type)
    // Another hash on the same server is another store.
    assert.equal(await idsOf(t, own.url, { key: freshKey() }).segment('orders').next(), 1n)
  })
}

test('a key of the wrong type is told at the start, by its name (case 18)', async (t) => {
  const own = await ownServer(t)
  const key = freshKey()
  await own.call('SET', key, 'value')
  const ids = idsOf(t, own.url, { key })
  const { message } = await assertFails(() => ids.ready(), REFUSED)
  assert.ok(message.includes(key), message)
})

for (const kind of KINDS) {
  test(`counters that no double holds are exact over many ranges, on ${kind}`, async (t) => {
    const own = await ownServer(t, { kind })
    const ids = idsOf(t, own.url)
    const starts = [2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 10n ** 15n, 10n ** 18n, 999_999_999n]
    for (const start of starts) {
      const name = `orders${start}`
      assert.equal(await ids.floor(name, start), true)
      const orders = ids.segment(name, { policy: 'fixed', step: 3 })
      let last = start
      for (const size of [1, 2, 7, 1000]) {
        const range = await orders.nextRange(size)
        assert.deepEqual(range, { start: last + 1n, end: last + 1n + BigInt(size) })
        last += BigInt(size)
        assert.equal(await own.call('HGET', 'kvid', name), String(last))
      }
      for (let expected = last + 1n; expected <= last + 7n; expected++) {
        assert.equal(await orders.next(), expected)
      }
    }
  })

  test(`the last ids of a counter are served, and it stays where it ends, on ${kind}`, async (t) => {
    const own = await ownServer(t, { kind })
    const ids = idsOf(t, own.url)
    const start = 2n ** 63n - 101n
    await ids.floor('orders', start)
    const orders = ids.segment('orders', { policy: 'fixed', step: 33 })
    for (const size of [33, 33]) await orders.nextRange(size)
    const left = HIGHEST_ID - start - 66n
    assert.equal(left, 33n)
    const { end } = await orders.nextRange(Number(left))
    assert.equal(end, HIGHEST_ID + 1n)
    for (const call of [() => orders.next(), () => orders.nextRange(1), () => orders.ready()]) {
      const { retryable } = await assertFails(call, EXHAUSTED)
      assert.equal(retryable, false)
    }
    assert.equal(await own.call('HGET', 'kvid', 'orders'), String(HIGHEST_ID))
  })
}

test('one id before the end is served, and then none for ever (case 19)', async (t) => {
  const own = await ownServer(t)
  const ids = idsOf(t, own.url)
  await ids.floor('orders', HIGHEST_ID - 1n)
  const orders = ids.segment('orders', { step: 1 })
  const near = new Promise((resolve) => orders.once('nearEnd', resolve))
  assert.equal(await orders.next(), HIGHEST_ID)
  for (let i = 0; i < 3; i++) {
    for (const call of [
      () => orders.next(),
      () => orders.nextBatch(2),
      () => orders.nextRange(1),
    ]) {
      await assertFails(call, EXHAUSTED)
    }
  }
  const { last, max } = await near
  assert.deepEqual([last, max], [String(HIGHEST_ID), String(HIGHEST_ID)])
  assert.deepEqual(await ids.list(), [{ key: 'orders', value: HIGHEST_ID, sealed: false }])
})

test('a counter with too few ids for a step keeps them (case 19)', async (t) => {
  const own = await ownServer(t)
  const ids = idsOf(t, own.url)
  await ids.floor('orders', HIGHEST_ID - 50n)
  await assertFails(() => ids.segment('orders', { step: 100 }).next(), EXHAUSTED)
  assert.deepEqual(await countersOf(own), { orders: String(HIGHEST_ID - 50n) })
})

for (const value of [HIGHEST_ID, HIGHEST_ID - 1n]) {
  test(`a counter at ${value} that somebody else wrote is exhausted, not wrapped (case 19)`, async (t) => {
    const own = await ownServer(t)
    await own.call('HSET', 'kvid', 'orders', value)
    const ids = idsOf(t, own.url)
    // It would leap, not knowing by whom it was written, and there is no room for a leap.
    const { message } = await assertFails(
      () => ids.segment('orders', { step: 1 }).next(),
      EXHAUSTED,
    )
    assert.match(message, /"orders" is exhausted/)
    assert.deepEqual(await countersOf(own), { orders: String(value) })
    assert.equal(await ids.segment('others').next(), 1n)
  })
}

test('a counter that is exhausted is told by where it stands', async (t) => {
  const own = await ownServer(t)
  await own.call('HSET', 'kvid', 'orders', HIGHEST_ID - 1n)
  const call = () => idsOf(t, own.url).segment('orders', { step: 1 }).next()
  const { message } = await assertFails(call, EXHAUSTED)
  assert.ok(message.includes(`after ${HIGHEST_ID - 1n} `), message)
})

test('a floor raises a counter and never lowers it (case 17)', async (t) => {
  const own = await ownServer(t)
  const ids = idsOf(t, own.url)
  assert.equal(await ids.floor('orders', 5_000n), true)
  assert.deepEqual(await ids.segment('orders').nextRange(10), { start: 5_001n, end: 5_011n })
  for (const value of [4_999n, 5_010n]) assert.equal(await ids.floor('orders', value), false)
  await assertFails(() => ids.floor('orders', HIGHEST_ID + 1n), EXHAUSTED)
  assert.deepEqual(await countersOf(own), { orders: '5010' })
  // It is the counter's owner who says so: nothing has to be leapt over.
  assert.equal((await ids.segment('orders').nextRange(10)).start, 5_011n)
})

test('max is kept on Redis as well, and leaves the counter alone', async (t) => {
  const own = await ownServer(t)
  const ids = idsOf(t, own.url)
  const orders = ids.segment('orders', { max: 250, step: 100 })
  assert.deepEqual(await orders.nextRange(100), { start: 1n, end: 101n })
  assert.deepEqual(await orders.nextRange(100), { start: 101n, end: 201n })
  await assertFails(() => orders.nextRange(51), EXHAUSTED)
  assert.deepEqual(await countersOf(own), { orders: '200' })
})
