// Callers that wait for Snowflake ids, and what ends their waiting. With a second as the tick and
// few numbers in it, whoever comes after them waits.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createIds } from 'mintid'
import { inProcess } from './support/elsewhere.mjs'
import { assertFails } from './support/failure.mjs'
import { assertGrowing } from './support/ids.mjs'

const FEW = { timestampBits: 40, machineBits: 6, sequenceBits: 4, unit: 's' }
const PER_TICK = 16

const UNAVAILABLE = 'ERR_MINTID_RANGE_UNAVAILABLE'
const EMPTY = 'ERR_MINTID_SEGMENT_EMPTY'
const CLOSED = 'ERR_MINTID_CLOSED'

/** A store whose present second is used up, and a handle on it. */
async function usedUp(t, options) {
  const ids = createIds('memory:')
  t.after(() => ids.close())
  const events = ids.snowflake('events', { layout: FEW, ...options })
  await events.ready()
  await useUp(events)
  return { ids, events }
}

async function useUp(events) {
  await events.nextBatch(PER_TICK)
  // Those of the next second come at its begin, so that much of it is left.
  await events.nextBatch(PER_TICK)
}

test('a caller waits for the next tick', async (t) => {
  const { events } = await usedUp(t)
  assert.equal(events.tryNext(), undefined)
  const { message } = await assertFails(() => events.nextSync(), EMPTY)
  assert.ok(message.length > 0)
  const waits = events.stats().waits
  const [one, two] = await Promise.all([events.next(), events.next()])
  assert.equal(two - one, 1n)
  assert.ok(events.stats().waits >= waits + 2)
})

test('its own time limit ends it, and says what it waited for', async (t) => {
  const { events } = await usedUp(t)
  const [late, inTime] = await Promise.allSettled([
    events.next({ timeoutMs: 20 }),
    events.next({ timeoutMs: 2_900 }),
  ])
  assert.equal(late.reason.code, UNAVAILABLE)
  assert.equal(late.reason.cause.code, EMPTY)
  assert.match(late.reason.message, /^"events" gave no id within 20 ms: /)
  assert.match(late.reason.stack, /snowflake-waiting\.test\.mjs/)
  assert.equal(typeof inTime.value, 'bigint')
})

test('a batch that gives more than its time limit allows is lost and zeroed', async (t) => {
  const { events } = await usedUp(t, { reserveTimeout: 1_200 })
  const array = new BigUint64Array(100 * PER_TICK)
  const { wasted } = events.stats()
  const error = await assertFails(() => events.fill(array), UNAVAILABLE)
  assert.match(error.message, /within 1200 ms/)
  assert.ok(array.every((id) => id === 0n))
  assert.ok(events.stats().wasted > wasted)
  assert.equal(typeof (await events.next()), 'bigint')
})

test('a signal ends it with its reason', async (t) => {
  const { events } = await usedUp(t)
  const stop = new AbortController()
  const calls = [
    events.next({ signal: stop.signal }),
    events.nextBatch(5, { signal: stop.signal }),
    events.nextText({ signal: stop.signal }),
  ]
  const other = events.next()
  const reason = new Error('enough')
  stop.abort(reason)
  for (const { reason: told } of await Promise.allSettled(calls)) assert.equal(told, reason)
  assert.equal(typeof (await other), 'bigint')
  await assert.rejects(events.next({ signal: stop.signal }), reason)
  await assert.rejects(events.ready({ signal: stop.signal }), reason)
})

test('closing a handle ends its own callers alone', async (t) => {
  const { ids, events } = await usedUp(t)
  const others = ids.snowflake('others')
  const [own, theirs] = [events.next(), others.next()]
  const rejected = assertFails(() => own, CLOSED)
  await events.close()
  await rejected
  const first = await theirs
  for (const call of [
    () => events.next(),
    () => events.nextSync(),
    () => events.tryNext(),
    () => events.nextBatch(1),
    () => events.ready(),
    () => events.stats(),
    () => events.describe(),
    () => events.parse(1n),
    () => events.minIdAt(0),
  ]) {
    await assertFails(call, CLOSED)
  }
  assert.equal(events.machine, undefined)
  await events.close()
  assertGrowing([first, await others.next()])
})

test('closing the store ends everybody', async (t) => {
  const { ids, events } = await usedUp(t)
  const calls = [events.next(), events.nextBatch(100), ids.snowflake('others').next()]
  const all = Promise.allSettled(calls)
  await ids.close()
  for (const { reason } of await all) assert.equal(reason.code, CLOSED)
  await assertFails(() => ids.snowflake('more'), CLOSED)
  await assertFails(() => ids.machines(), CLOSED)
})

test('a call that was ended holds no process', async () => {
  const { code, stdout, stderr } = await inProcess(
    async ({ createIds }, { layout }) => {
      const events = createIds('memory:').snowflake('events', { layout, reserveTimeout: 60_000 })
      await events.nextBatch(16)
      const stop = new AbortController()
      const calls = [events.nextBatch(160, { signal: stop.signal }), events.next({ timeoutMs: 50 })]
      stop.abort()
      const ended = await Promise.allSettled(calls)
      console.log(ended.map(({ status }) => status).join())
    },
    { layout: FEW },
  )
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^rejected,/)
})

test('options of a call are checked', async (t) => {
  const { events } = await usedUp(t)
  for (const options of [{ timeoutMs: 0 }, { timeoutMs: '5' }, { signal: 5 }, { wait: 1 }, 5]) {
    for (const call of [
      (o) => events.next(o),
      (o) => events.nextBatch(5, o),
      (o) => events.ready(o),
    ])
      await assertFails(() => call(options), 'ERR_MINTID_CONFIG_INVALID')
  }
})

test('what the caller asks for may be more than a turn of the event loop gives', async (t) => {
  const ids = createIds('memory:')
  t.after(() => ids.close())
  const layout = { timestampBits: 40, machineBits: 0, sequenceBits: 23 }
  const events = ids.snowflake('events', { layout })
  await events.ready()
  let turns = 0
  const count = () => {
    turns++
    turn = setImmediate(count)
  }
  let turn = setImmediate(count)
  const batch = await events.nextBatch(2 ** 22)
  clearImmediate(turn)
  for (let i = 1; i < batch.length; i++) {
    if (batch[i] <= batch[i - 1]) assert.fail(`${batch[i]} after ${batch[i - 1]}`)
  }
  assert.ok(turns >= 3, `${turns} turns`)
  assert.equal(typeof (await events.next()), 'bigint')
})
