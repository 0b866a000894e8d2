// Arguments that cannot be used are refused by name, and nothing is reserved, drawn or written.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createIds } from 'mintid'
import { assertFails, assertRefused } from './support/failure.mjs'

const NO_COUNTS = [
  0,
  -0,
  -1,
  1.5,
  Number.NaN,
  Infinity,
  2 ** 53,
  'abc',
  '5',
  1n,
  null,
  {},
  [5],
  true,
]
const AT_ONCE = `from 1 to ${2 ** 24}`

const CALLS = {
  nextBatch: { argument: 'n', most: 2 ** 24, call: (orders, value) => orders.nextBatch(value) },
  nextRange: { argument: 'size', most: 2 ** 48, call: (orders, value) => orders.nextRange(value) },
  ready: {
    argument: 'count',
    most: 2 ** 24,
    call: (orders, value) => orders.ready({ count: value }),
  },
}

for (const [method, { argument, most, call }] of Object.entries(CALLS)) {
  test(`${method} refuses what is no count, and reserves nothing`, async () => {
    const orders = createIds('memory:').segment('orders')
    const before = orders.stats()
    for (const value of [...NO_COUNTS, most + 1, 2 ** 49]) {
      const shown = value === 0 ? 0 : value
      await assertRefused(() => call(orders, value), argument, shown, `from 1 to ${most}`)
    }
    assert.deepEqual(orders.stats(), before)
    assert.equal(await orders.next(), 1n)
  })
}

test('nextBatch and nextRange have to be told how many', async () => {
  const orders = createIds('memory:').segment('orders')
  await assertRefused(() => orders.nextBatch(), 'n', undefined, AT_ONCE)
  await assertRefused(() => orders.nextRange(), 'size', undefined, `from 1 to ${2 ** 48}`)
  assert.equal(orders.stats().reserved, 0)
})

test('2^32 ids are no batch, but a range', async () => {
  const orders = createIds('memory:').segment('orders')
  await assertRefused(() => orders.nextBatch(2 ** 32), 'n', 2 ** 32, AT_ONCE)
  assert.deepEqual(await orders.nextRange(2 ** 32), { start: 1n, end: 2n ** 32n + 1n })
})

test('ready refuses options that are none', async () => {
  const orders = createIds('memory:').segment('orders')
  await assertRefused(() => orders.ready({ cuont: 5 }), 'cuont', 5, 'did you mean count?')
  for (const options of [null, 5, 'count', true, [5]]) {
    await assertFails(() => orders.ready(options), 'ERR_MINTID_CONFIG_INVALID')
  }
  assert.equal(orders.stats().reserved, 0)
  await orders.ready({ count: undefined })
})

test('ready refuses a count that the generator never holds', async () => {
  const orders = createIds('memory:').segment('orders', { policy: 'fixed', step: 10 })
  // It holds 1,024 reservations at most.
  await assertRefused(() => orders.ready({ count: 10_241 }), 'count', 10_241, 'at most 10240')
  assert.equal(orders.stats().reserved, 0)
  await orders.ready({ count: 10_240 })
  assert.equal(orders.stats().remaining, 10_240)
})

const detached = () => {
  const array = new BigUint64Array(2)
  structuredClone(array, { transfer: [array.buffer] })
  return array
}

for (const [what, array, accepted] of [
  ['a shared array', new BigUint64Array(new SharedArrayBuffer(16)), 'shared'],
  ['a detached array', detached(), 'detached'],
  ['an empty array', new BigUint64Array(0), 'empty'],
  ['a BigInt64Array', new BigInt64Array(2), 'BigUint64Array'],
  ['a Uint8Array', new Uint8Array(16), 'BigUint64Array'],
  ['a DataView', new DataView(new ArrayBuffer(16)), 'BigUint64Array'],
  ['an ArrayBuffer', new ArrayBuffer(16), 'BigUint64Array'],
  ['an array of bigints', [0n, 0n], 'BigUint64Array'],
  ['an impostor', Object.create(BigUint64Array.prototype), 'BigUint64Array'],
  ['null', null, 'BigUint64Array'],
  ['nothing', undefined, 'BigUint64Array'],
  ['a number', 2, 'BigUint64Array'],
]) {
  test(`fill refuses ${what}`, async () => {
    const orders = createIds('memory:').segment('orders')
    const { message } = await assertFails(() => orders.fill(array), 'ERR_MINTID_CONFIG_INVALID')
    assert.match(message, /^array = /)
    assert.ok(message.includes(accepted), message)
    assert.equal(orders.stats().reserved, 0)
    assert.equal(await orders.next(), 1n)
  })
}

test('fill writes into a part of a buffer, and nothing beside it', async () => {
  const orders = createIds('memory:').segment('orders')
  const whole = new BigUint64Array(6).fill(7n)
  const part = whole.subarray(2, 4)
  assert.equal(await orders.fill(part), part)
  assert.deepEqual([...whole], [7n, 7n, 1n, 2n, 7n, 7n])
})

for (const [what, spoil] of [
  ['detached', (array) => structuredClone(array, { transfer: [array.buffer] })],
  ['shrunk', (array) => array.buffer.resize(0)],
]) {
  test(`an array that is ${what} while fill waits is refused, and the next caller served`, async () => {
    const orders = createIds('memory:').segment('orders')
    const array = new BigUint64Array(new ArrayBuffer(160, { maxByteLength: 160 }))
    const filling = orders.fill(array)
    const next = orders.next()
    spoil(array)
    await assertFails(() => filling, 'ERR_MINTID_CONFIG_INVALID')
    assert.equal(await next, 1n)
  })
}
