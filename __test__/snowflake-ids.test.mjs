// Snowflake ids: what they hold, and that they grow from call to call by whatever call.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createIds, toSafeNumber } from 'mintid'
import { assertFails, assertRefused } from './support/failure.mjs'
import { storeOf } from './support/folder.mjs'
import { assertDistinct, assertGrowing } from './support/ids.mjs'

const INVALID = 'ERR_MINTID_ID_INVALID'
const DAY = 86_400_000

/** A generator whose machine number is held. */
async function snowflake(t, options, name = 'events') {
  const ids = createIds('memory:')
  t.after(() => ids.close())
  const generator = ids.snowflake(name, options)
  await generator.ready()
  return generator
}

test('an id holds the time, the machine number and a number within the tick', async (t) => {
  const events = await snowflake(t)
  const before = Date.now()
  const id = await events.next()
  const after = Date.now()
  const { timestamp, machine, sequence } = events.parse(id)
  assert.ok(timestamp instanceof Date)
  assert.ok(timestamp.getTime() >= before && timestamp.getTime() <= after)
  assert.equal(machine, events.machine)
  assert.ok(sequence < 4096)
  const composed = (BigInt(timestamp.getTime() - Date.UTC(2020)) << 22n) | (BigInt(machine) << 12n)
  assert.equal(id, composed | BigInt(sequence))
})

test('the first call waits for the machine number', async (t) => {
  const ids = createIds('memory:')
  t.after(() => ids.close())
  const events = ids.snowflake('events')
  assert.equal(events.machine, undefined)
  const id = await events.next()
  assert.equal(events.parse(id).machine, events.machine)
})

test('ids grow from call to call, by whatever call, handle and name', async (t) => {
  const ids = createIds('memory:')
  t.after(() => ids.close())
  const handles = [ids.snowflake('events'), ids.snowflake('events'), ids.snowflake('orders')]
  await handles[0].ready()
  const calls = [
    async (events) => [await events.next()],
    async (events) => [BigInt(await events.nextText())],
    async (events) => [events.nextSync()],
    async (events) => [events.tryNext()].filter((id) => id !== undefined),
    async (events) => await events.nextBatch(7),
    async (events) => await events.nextBatch(5_000),
    async (events) => await events.fill(new BigUint64Array(3)),
    async (events) => await Promise.all([events.next(), events.nextBatch(2), events.next()]),
  ]
  const minted = []
  for (let i = 0; i < 4_000; i++) {
    const call = calls[(i * 7 + (i >> 3)) % calls.length]
    for (const part of await call(handles[i % 3])) minted.push(part)
  }
  assertGrowing(minted.flatMap((part) => (typeof part === 'bigint' ? part : [...part])))
})

test('a batch spans ticks', async (t) => {
  const events = await snowflake(t)
  const batch = await events.nextBatch(20_000)
  assertGrowing(batch)
  const times = new Set(Array.from(batch, (id) => id >> 22n))
  assert.ok(times.size >= 5, `${times.size} ticks of 4096 ids each`)
})

test('in a tight loop no id comes twice', async (t) => {
  const events = await snowflake(t)
  let last = 0n
  for (let i = 0; i < 500_000; i++) {
    const id = await events.next()
    if (id <= last) assert.fail(`${id} after ${last}`)
    last = id
  }
  for (let i = 0; i < 500_000; i++) {
    const id = events.nextSync()
    if (id <= last) assert.fail(`${id} after ${last}`)
    last = id
  }
})

test('callers of one moment are served in their order', async (t) => {
  const events = await snowflake(t)
  const minted = await Promise.all(Array.from({ length: 20_000 }, () => events.next()))
  assertGrowing(minted)
})

test('a call that comes later does not pass those who wait', async (t) => {
  const events = await snowflake(t)
  const order = []
  const waiting = []
  for (let i = 0; i < 200; i++) {
    // The batch uses up the tick, so that what follows has to wait.
    waiting.push(events.nextBatch(4_096).then((batch) => order.push(['batch', i, ...batch])))
    const id = events.tryNext()
    if (id !== undefined) order.push(['try', i, id])
    waiting.push(events.next().then((next) => order.push(['next', i, next])))
    if (i % 20 === 0) await Promise.all(waiting)
  }
  await Promise.all(waiting)
  const rank = { batch: 0, try: 1, next: 2 }
  const called = order.sort(([a, i], [b, j]) => i - j || rank[a] - rank[b])
  assertGrowing(called.flatMap(([, , ...ids]) => ids))
})

for (const [call, take] of [
  ['next', (events) => events.next()],
  ['tryNext', (events) => events.tryNext()],
  ['nextSync', (events) => events.nextSync()],
  ['the first of nextBatch', async (events) => (await events.nextBatch(10))[0]],
]) {
  test(`after a rest the time in an id is the present, by ${call}`, async (t) => {
    const events = await snowflake(t)
    for (let round = 0; round < 20; round++) {
      await events.next()
      await new Promise((resolve) => setTimeout(resolve, 3))
      const before = Date.now()
      const id = await take(events)
      const time = events.parse(id).timestamp.getTime()
      assert.ok(time >= before - 2 && time <= Date.now() + 2, `${time} at ${before}`)
    }
  })
}

test('ids of a rested block are counted as waste, not as issued', async (t) => {
  const events = await snowflake(t)
  for (let i = 0; i < 10; i++) {
    await events.next()
    await new Promise((resolve) => setTimeout(resolve, 3))
  }
  const { issued, wasted, leases, losses } = events.stats()
  assert.equal(issued, 10)
  assert.ok(wasted <= 30, `${wasted} of blocks of 4`)
  assert.deepEqual([leases, losses], [1, 0])
})

test('in units of seconds ids last for their second, and nothing spins', async (t) => {
  const layout = { timestampBits: 32, machineBits: 10, sequenceBits: 10, unit: 's' }
  const events = await snowflake(t, { layout, reserveTimeout: 5_000 })
  const minted = []
  for (let i = 0; i < 40; i++) {
    minted.push(await events.next())
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  assertGrowing(minted)
  // The block is not filled anew at each millisecond.
  assert.ok(events.stats().wasted <= 300, `${events.stats().wasted} wasted`)
  const full = await events.nextBatch(1_024)
  assertGrowing([...minted, ...full])
  const { timestamp } = events.parse(full.at(-1))
  assert.equal(timestamp.getTime() % 1_000, 0)
  await events.nextBatch(1_024)
  const before = process.cpuUsage()
  const late = await events.nextBatch(1_024)
  const { user, system } = process.cpuUsage(before)
  assert.ok(late[0] > full.at(-1))
  assert.ok(user + system < 500_000, `${user + system} µs of work in a second of waiting`)
  const id = await events.next()
  while (events.tryNext() !== undefined);
  await assertFails(() => events.nextSync(), 'ERR_MINTID_SEGMENT_EMPTY')
  assert.ok(id > late.at(-1))
})

test('an id is read back from a bigint and from text', async (t) => {
  const events = await snowflake(t)
  const id = await events.next()
  assert.deepEqual(events.parse(String(id)), events.parse(id))
  const highest = events.parse(2n ** 63n - 1n)
  assert.deepEqual(highest, {
    timestamp: new Date('2089-09-06T15:47:35.551Z'),
    machine: 1023,
    sequence: 4095,
  })
  assert.deepEqual(events.parse(0n), {
    timestamp: new Date(Date.UTC(2020)),
    machine: 0,
    sequence: 0,
  })
})

test('what is no id is not read', async (t) => {
  const events = await snowflake(t)
  const wrong = [-1n, 2n ** 63n, 2n ** 64n, 3.5, 5, '-1', '12a', ' 12', '0x10', '1n', '', null, {}]
  for (const value of [...wrong, undefined, '9223372036854775808', '01']) {
    await assertFails(() => events.parse(value), INVALID)
  }
  const narrow = await snowflake(t, { layout: 'jsSafe' })
  await assertFails(() => narrow.parse(2n ** 53n), INVALID)
})

test('ids of the layout jsSafe are safe integers', async (t) => {
  const events = await snowflake(t, { layout: 'jsSafe' })
  const id = await events.next()
  const number = toSafeNumber(id)
  assert.equal(BigInt(number), id)
  const { timestamp, machine } = events.parse(number.toString())
  assert.ok(Math.abs(timestamp.getTime() - Date.now()) < DAY)
  assert.ok(machine < 64)
  assert.equal(events.describe().passesSafeAt, undefined)
})

test('a time has a lowest and a highest id', async (t) => {
  const events = await snowflake(t)
  const before = new Date()
  const minted = await events.nextBatch(10_000)
  const after = Date.now()
  assert.ok(events.minIdAt(before) <= minted[0])
  assert.ok(events.maxIdAt(after) >= minted.at(-1))
  const noon = Date.UTC(2026, 0, 1, 12)
  assert.equal(events.minIdAt(noon), BigInt(noon - Date.UTC(2020)) << 22n)
  assert.equal(events.maxIdAt(new Date(noon)), events.minIdAt(noon + 1) - 1n)
  // Beyond its ends a layout has the ids at its ends.
  assert.equal(events.minIdAt(new Date('1969-01-01')), 0n)
  assert.equal(events.maxIdAt(new Date('2200-01-01')), 2n ** 63n - 1n)
  for (const date of [new Date(Number.NaN), '2026-01-01', 1.5, Number.NaN, undefined, null, 5n]) {
    for (const call of [() => events.minIdAt(date), () => events.maxIdAt(date)]) {
      await assertFails(call, 'ERR_MINTID_CONFIG_INVALID')
    }
  }
  await assertRefused(() => events.minIdAt('x'), 'date', 'x', 'a Date')
})

test('a loop over ids lets others run', async (t) => {
  const events = await snowflake(t)
  const minted = []
  for await (const id of events) {
    minted.push(id)
    if (minted.length === 25_000) break
  }
  assertGrowing(minted)
})

test('what is described is what was given', async (t) => {
  const { url } = storeOf(t)
  const ids = createIds(url)
  t.after(() => ids.close())
  const given = {
    layout: { timestampBits: 40, machineBits: 8, sequenceBits: 11, unit: 'ms', epoch: 1.7e12 },
    machineRange: [3, 200],
    firstStart: true,
    lease: {
      ttl: 8_000,
      heartbeat: 2_500,
      maxClockSkew: 900,
      failoverWindow: 700,
      claimTimeout: 600,
    },
    clockBackwardsMax: 50,
    reserveTimeout: 1_234,
  }
  const { name, key, store, kind, endsAt, passesSafeAt, ...options } = ids
    .snowflake('events', given)
    .describe()
  assert.deepEqual(options, given)
  assert.deepEqual([name, store, kind, typeof key], ['events', url, 'snowflake', 'string'])
  assert.equal(endsAt.getTime(), 1.7e12 + 2 ** 40 - 1)
  assert.equal(passesSafeAt.getTime(), 1.7e12 + 2 ** 34)
})

test('a generator that is closed and made again repeats nothing', async () => {
  const minted = []
  for (let round = 0; round < 20; round++) {
    const ids = createIds('memory:made-again')
    const events = ids.snowflake('events', { machine: 3 })
    minted.push(...(await events.nextBatch(1_000)))
    await ids.close()
  }
  assertDistinct(minted)
  assert.ok(minted.every((id) => ((id >> 12n) & 1023n) === 3n))
})

test('an id from outside is checked, and a schema does it for validators', async (t) => {
  const events = await snowflake(t)
  const id = await events.next()
  assert.equal(events.id(String(id)), id)
  assert.deepEqual(events.schema['~standard'].validate(String(id)), { value: id })
})
