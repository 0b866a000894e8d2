// The interceptor that lets ids out: what it makes of a value, and what it leaves as it is.

import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { StreamableFile } from '@nestjs/common'
import { IdsAsTextInterceptor } from 'mintid/nest'
import { lastValueFrom, of } from 'rxjs'

const MANY = 10_000

/** What the interceptor makes of what a handler gives. */
function answered(value, type = 'http') {
  const next = { handle: () => of(value) }
  return lastValueFrom(new IdsAsTextInterceptor().intercept({ getType: () => type }, next))
}

class Order {
  constructor(id) {
    this.id = id
  }
  get total() {
    return 42
  }
}

for (const [what, value, expected] of [
  ['an id', 1n, '1'],
  ['the highest id', 2n ** 63n - 2n, '9223372036854775806'],
  ['a negative bigint', -1n, '-1'],
  ['a batch', BigUint64Array.of(1n, 2n), ['1', '2']],
  ['a batch of signed ids', BigInt64Array.of(-1n), ['-1']],
  ['an array', [1n, 2, '3'], ['1', 2, '3']],
  ['an object', { id: 1n, n: 2 }, { id: '1', n: 2 }],
  ['what is deep', { a: [{ b: { c: [1n] } }] }, { a: [{ b: { c: ['1'] } }] }],
  ['a batch within', { ids: BigUint64Array.of(7n) }, { ids: ['7'] }],
]) {
  test(`${what} becomes text`, async () => {
    assert.deepEqual(await answered(value), expected)
  })
}

for (const [what, value] of [
  ['undefined', undefined],
  ['null', null],
  ['text', '1'],
  ['a number', 1],
  ['a date', new Date(0)],
  ['bytes', Buffer.alloc(1)],
  ['an array of numbers', Float64Array.of(1)],
  ['a file', new StreamableFile(Buffer.alloc(1))],
  ['a stream', Readable.from([])],
  ['an object without ids', { a: [{ b: 1 }], at: new Date(0) }],
  ['what says itself how it is written', { id: 1n, toJSON: () => 'an order' }],
  ['a map', new Map([['id', 1n]])],
]) {
  test(`${what} stays the same object, also inside of others`, async () => {
    assert.equal(await answered(value), value)
    const { inside, others } = await answered({ id: 1n, inside: value, others: [value] })
    assert.equal(inside, value)
    assert.equal(others[0], value)
  })
}

test('what is given is not changed', async () => {
  const order = Object.freeze({ id: 1n, lines: Object.freeze([Object.freeze({ id: 2n })]) })
  assert.deepEqual(await answered(order), { id: '1', lines: [{ id: '2' }] })
  assert.equal(order.lines[0].id, 2n)
})

test('an instance stays one of its class', async () => {
  const order = await answered(new Order(1n))
  assert.ok(order instanceof Order)
  assert.equal(order.total, 42)
  assert.equal(JSON.stringify(order), '{"id":"1"}')
  const bare = await answered(Object.assign(Object.create(null), { id: 1n }))
  assert.equal(Object.getPrototypeOf(bare), null)
})

test('cycles, and objects that are met twice, stay so', async () => {
  const order = { id: 1n, self: undefined, lines: [] }
  order.self = order
  order.lines.push({ order })
  const plain = { without: undefined }
  plain.without = plain
  const [first, second, other] = await answered([order, order, plain])
  assert.equal(first.id, '1')
  assert.equal(first, second)
  assert.equal(first.self, first)
  assert.equal(first.lines[0].order, first)
  assert.equal(other, plain)
})

test('a key is a key, whatever it is called', async () => {
  const parsed = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}')
  const told = await answered({ ...parsed, ['__proto__']: parsed, id: 1n })
  assert.equal(told.polluted, undefined)
  assert.deepEqual(Object.keys(told).sort(), ['__proto__', 'constructor', 'id'])
})

test('a copy is made without the setters of its class', async () => {
  class Guarded {
    set id(_id) {
      assert.fail('somebody sets it')
    }
  }
  const guarded = Object.defineProperty(new Guarded(), 'id', { value: 1n, enumerable: true })
  assert.equal((await answered(guarded)).id, '1')
})

test('what is deep beyond what a stack holds is no problem', async () => {
  const root = {}
  let at = root
  for (let i = 0; i < MANY; i++) {
    at.next = {}
    at = at.next
  }
  at.id = 1n
  let told = await answered(root)
  while (told.next) told = told.next
  assert.equal(told.id, '1')
})

test('a schema of GraphQL says itself what becomes of an id, other transports do not', async () => {
  assert.deepEqual(await answered({ id: 1n }, 'rpc'), { id: '1' })
  assert.deepEqual(await answered({ id: 1n }, 'graphql'), { id: 1n })
})
