// Options of Snowflake ids that cannot be used are refused by name, with what is accepted.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createIds } from 'mintid'
import { assertFails, assertRefused, failureOf } from './support/failure.mjs'

const INVALID = 'ERR_MINTID_CONFIG_INVALID'
const LONGEST_MS = 2 ** 31 - 1
const NO_NUMBERS = [Number.NaN, Infinity, '7', '', null, true, {}, [7], 7n, 0.5, -0.5]

/** A namespace for each: what is left out would otherwise have to match. */
let count = 0
function ids(t) {
  const made = createIds('memory:', { namespace: `n${count++}` })
  t.after(() => made.close())
  return made
}

/** Options with one value in a part, such as `lease.ttl`. */
function withOption(path, value) {
  const [part, name] = path.split('.')
  return name === undefined ? { [part]: value } : { [part]: { [name]: value } }
}

const ms = (least) => ({
  accepted: `whole milliseconds from ${least} to ${LONGEST_MS}`,
  bad: [least - 1, -1, LONGEST_MS + 1, 1.5, ...NO_NUMBERS],
})
const integer = (least, most) => ({
  accepted: `an integer from ${least} to ${most}`,
  bad: [least - 1, -1, most + 1, 2 ** 31, 2 ** 53, 1.5, ...NO_NUMBERS],
})

for (const [path, { accepted, bad }] of Object.entries({
  machine: integer(0, 65_535),
  clockBackwardsMax: ms(0),
  reserveTimeout: ms(1),
  firstStart: { accepted: 'true or false', bad: [0, 1, 'true', null, {}] },
  'lease.ttl': ms(2_000),
  'lease.heartbeat': ms(100),
  'lease.maxClockSkew': ms(1),
  'lease.failoverWindow': ms(0),
  'lease.claimTimeout': ms(1),
  'layout.timestampBits': integer(1, 63),
  'layout.machineBits': integer(0, 16),
  'layout.sequenceBits': integer(0, 31),
  'layout.unit': { accepted: 'one of ms, s', bad: ['', 'MS', 'sec', 1, null] },
  'layout.epoch': {
    accepted: 'whole milliseconds from 0 to 8640000000000000',
    bad: [-1, 1.5, 8_640_000_000_000_001, ...NO_NUMBERS],
  },
})) {
  test(`${path} takes ${accepted}`, async (t) => {
    for (const value of bad) {
      const make = () => ids(t).snowflake('events', withOption(path, value))
      await assertRefused(make, path, value, accepted)
    }
  })
}

test('machineRange takes the lowest and the highest number', async (t) => {
  const ranges = [
    [],
    [1],
    [1, 2, 3],
    [-1, 5],
    [0, 65_536],
    ['0', '5'],
    [0, 1.5],
    5,
    '0-5',
    null,
    {},
  ]
  for (const range of ranges) {
    const make = () => ids(t).snowflake('events', { machineRange: range })
    const { message } = await assertFails(make, INVALID)
    assert.match(message, /^machineRange = .*: expected /)
  }
})

for (const [what, options, said] of [
  ['a range upside down', { machineRange: [5, 3] }, /^machineRange = \[5, 3\]: .*lowest number/],
  ['a number beyond the layout', { machine: 1_024 }, /^machine = 1024: .*at most 1023/],
  ['a range beyond it', { machineRange: [0, 1_024] }, /^machineRange = \[0, 1024\]: .*1023/],
  [
    'a number in a layout of few',
    { machine: 4, layout: { machineBits: 2 } },
    /^machine = 4: .*at most 3/,
  ],
  ['a number and a range', { machine: 4, machineRange: [0, 5] }, /^machine = 4: machineRange = /],
  ['too many bits', { layout: { timestampBits: 42 } }, /42 \+ 10 \+ 12 = 64: .*at most 63/],
  [
    'an epoch that lies ahead',
    { layout: { epoch: Date.now() + 60_000 } },
    /^layout\.epoch = |^epoch = /,
  ],
  [
    'an epoch in seconds',
    { layout: { epoch: 1_577_836_800 } },
    /epoch = 1577836800: .*milliseconds/,
  ],
  [
    'an epoch in seconds, in units of seconds',
    { layout: { epoch: 1_577_836_800, unit: 's' } },
    /epoch = 1577836800: .*milliseconds/,
  ],
  ['a layout that has ended', { layout: { timestampBits: 30, epoch: 1.5e12 } }, /ends? at/],
  [
    'a heartbeat that is too slow',
    { lease: { ttl: 6_000, heartbeat: 2_001 } },
    /^lease\.heartbeat = 2001: .*2000/,
  ],
  ['an unknown name', { machin: 1 }, /^machin = 1: .*did you mean machine\?/],
  ['an unknown name in the lease', { lease: { tll: 1 } }, /^lease\.tll = 1: .*did you mean ttl\?/],
  ['an unknown name in the layout', { layout: { bits: 1 } }, /^layout\.bits = 1: there is no/],
  ['a layout of another name', { layout: 'js' }, /^layout = "js": /],
  ['a layout in a list', { layout: [41, 10, 12] }, /^layout = an array: /],
  ['a lease that is a number', { lease: 60_000 }, /^lease = 60000: /],
  ['no object', 5, /^options = 5: expected an object/],
]) {
  test(`${what} is refused`, async (t) => {
    const error = await failureOf(() => ids(t).snowflake('events', options))
    assert.equal(error.code, INVALID, error.stack)
    assert.match(error.message, said)
  })
}

for (const options of [
  undefined,
  {},
  { machine: 0 },
  { machine: 1_023 },
  { machine: undefined, lease: undefined, layout: undefined },
  { machineRange: [0, 1_023] },
  { machineRange: [7, 7] },
  { layout: 'jsSafe', machine: 63 },
  { layout: { machineBits: 0 }, machine: 0 },
  { layout: { timestampBits: 63, machineBits: 0, sequenceBits: 0 } },
  { layout: { epoch: 0 } },
  { lease: { ttl: 3_600_000, heartbeat: 900_000 } },
  { clockBackwardsMax: 0 },
]) {
  test(`${JSON.stringify(options)} can be used`, async (t) => {
    const events = ids(t).snowflake('events', options)
    const { machine, timestamp } = events.parse(await events.next())
    assert.equal(machine, events.machine)
    assert.ok(Math.abs(timestamp.getTime() - Date.now()) < 10_000)
  })
}

test('handles of one store and namespace share their options', async (t) => {
  const one = ids(t)
  one.snowflake('events', { machine: 5, lease: { ttl: 9_000 } })
  for (const [options, said] of [
    [{ machine: 6 }, /^machine = 6: another handle has 5/],
    [{ lease: { ttl: 10_000 } }, /^lease\.ttl = 10000: another handle has 9000/],
    [{ layout: 'jsSafe' }, /^layout\.machineBits = 6: another handle has 10/],
    [{ machineRange: [0, 5] }, /^machineRange = \[0, 5\]: another handle has none/],
  ]) {
    const { message } = await assertFails(() => one.snowflake('orders', options), INVALID)
    assert.match(message, said)
  }
  for (const options of [undefined, {}, { machine: 5 }, { lease: { ttl: 9_000 } }]) {
    assert.equal(one.snowflake('orders', options).describe().machine, 5)
  }
})

for (const name of ['', 'a/b', '#a', 'a{b', 'x'.repeat(129), 5, null, undefined]) {
  test(`the name ${JSON.stringify(name)} is refused`, async (t) => {
    const { message } = await assertFails(() => ids(t).snowflake(name), INVALID)
    assert.match(message, /^name = /)
  })
}

for (const [n, call] of [
  [0, (events) => events.nextBatch(0)],
  [2 ** 24 + 1, (events) => events.nextBatch(2 ** 24 + 1)],
  ['5', (events) => events.nextBatch('5')],
]) {
  test(`a batch of ${JSON.stringify(n)} is refused`, async (t) => {
    await assertRefused(() => call(ids(t).snowflake('events')), 'n', n, 'an integer from 1 to')
  })
}

test('a number to free is one', async (t) => {
  const one = ids(t)
  for (const machine of [-1, 65_536, 1.5, '7', Number.NaN, undefined, null]) {
    const { message } = await assertFails(() => one.freeMachine(machine), INVALID)
    assert.match(message, /^machine = /)
  }
})

test('a store that leases nothing has no Snowflake ids', async (t) => {
  const own = createIds({ name: 'mine', reserve: () => ({ start: 1, end: 2 }) })
  t.after(() => own.close())
  const { message } = await assertFails(() => own.snowflake('events'), INVALID)
  assert.match(message, /mine: it leases no machine numbers/)
})
