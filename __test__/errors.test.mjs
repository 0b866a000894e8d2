// What a caller can do with a failure: match on its code, log it, send it on.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { connect, createIds, KvId, MintIdError, parseId, toSafeNumber } from 'mintid'
import { createTestIds } from 'mintid/testing'
import { failureOf } from './support/failure.mjs'
import { storeOf } from './support/folder.mjs'
import { holdLock } from './support/lock.mjs'

const opened = (options) => createIds('memory:').segment('orders', options)

const closed = () => {
  const orders = opened()
  return orders.close().then(() => orders)
}

/** A file that is kept from everybody for as long as the test runs. */
async function locked(t) {
  const { file, url } = storeOf(t)
  await holdLock(t, file)
  return url
}

/** One call for each code that a caller can bring about, and whether it may succeed later. */
const FAILURES = {
  ERR_MINTID_CONFIG_INVALID: [false, () => createIds('')],
  ERR_MINTID_NOT_CONNECTED: [false, () => new KvId('orders').next()],
  ERR_MINTID_ID_INVALID: [false, () => parseId('orders', '0x10')],
  ERR_MINTID_ID_UNSAFE: [false, () => toSafeNumber(2n ** 53n)],
  ERR_MINTID_STORE_UNAVAILABLE: [
    true,
    async (t) => connect(await locked(t), { connectTimeout: 300 }),
  ],
  ERR_MINTID_SEGMENT_EMPTY: [true, () => opened().nextSync()],
  ERR_MINTID_RANGE_UNAVAILABLE: [
    true,
    async (t) =>
      createIds(await locked(t))
        .segment('a')
        .next(),
  ],
  ERR_MINTID_RANGE_EXHAUSTED: [false, () => opened({ max: 1, step: 1 }).nextBatch(2)],
  ERR_MINTID_RANGE_MISSING: [
    false,
    () => createIds('memory:', { allowCreate: false }).segment('orders').next(),
  ],
  ERR_MINTID_LEASE_PENDING: [
    true,
    () => {
      const { ids, store } = createTestIds()
      store.hang()
      return ids.snowflake('events').nextSync()
    },
  ],
  ERR_MINTID_CLOSED: [false, async () => (await closed()).next()],
}

/** Those that it takes more to bring about: another store, process or clock. */
const OF_STORES = {
  ERR_MINTID_STORE_ERROR: 'the cause of a failure above',
  ERR_MINTID_STORE_WENT_BACK: 'in store-went-back.test.mjs',
  ERR_MINTID_RANGE_SEALED: 'in the contract of stores',
  ERR_MINTID_LAYOUT_MISMATCH: 'in the contract of stores',
  ERR_MINTID_CLOCK_BACKWARDS: 'in snowflake-clock.test.mjs',
  ERR_MINTID_TIMESTAMP_EXHAUSTED: 'in snowflake-clock.test.mjs',
  ERR_MINTID_LEASE_LOST: 'in snowflake-clock.test.mjs',
  ERR_MINTID_MACHINE_IDS_EXHAUSTED: 'in snowflake-lease.test.mjs',
}

for (const [code, [retryable, call]] of Object.entries(FAILURES)) {
  test(`${code} is an error of plain fields that can be logged and sent on`, async (t) => {
    const error = await failureOf(() => call(t))
    assert.ok(error instanceof MintIdError && error instanceof Error)
    assert.equal(error.code, code)
    assert.equal(error.retryable, retryable)
    assert.equal(error.name, 'MintIdError')
    assert.deepEqual(Object.entries(error), [
      ['code', code],
      ['retryable', retryable],
    ])
    assert.deepEqual(JSON.parse(JSON.stringify(error)), { code, retryable })
    assert.equal(structuredClone(error).message, error.message)
    assert.ok(String(error).startsWith('MintIdError: '))
    assert.ok(inspect(error).includes(code))
    if (/UNAVAILABLE/.test(code)) {
      assert.ok(error.cause instanceof MintIdError)
      assert.equal(error.cause.code, 'ERR_MINTID_STORE_ERROR')
      assert.ok(error.message.endsWith(error.cause.message))
    } else {
      assert.equal('cause' in error, false)
    }
    // One line that a person can read, with nothing that was forgotten in it.
    assert.doesNotMatch(error.message, /undefined|\[object Object\]|\n/)
  })
}

test('the codes of the types are those that there are', () => {
  const types = readFileSync(new URL('../index.d.ts', import.meta.url), 'utf8')
  const [, union] = types.match(/export type MintIdErrorCode =([\s\S]*?)\n\n/)
  const codes = [...union.matchAll(/'(ERR_\w+)'/g)].map(([, code]) => code)
  const known = [...Object.keys(FAILURES), ...Object.keys(OF_STORES)]
  assert.deepEqual(codes.sort(), known.sort())
})

for (const [what, call] of Object.entries({
  createIds: () => createIds(''),
  connect: () => connect('sqlite:/no/such/folder/ids.db'),
  segment: () => createIds('memory:').segment(''),
  'an option': () => opened({ step: 0 }),
  nextSync: () => opened().nextSync(),
  'an argument of nextBatch': () => opened().nextBatch(0),
  nextRange: () => opened({ max: 100 }).nextRange(101),
  ready: () => createIds('memory:', { allowCreate: false }).segment('orders').ready(),
  'next on a closed handle': async () => (await closed()).next(),
})) {
  test(`the stack of a failure of ${what} leads to its caller`, async () => {
    const { stack } = await failureOf(call)
    assert.match(stack, /errors\.test\.mjs|failure\.mjs/)
  })
}
