// Options that cannot be used are refused by name, with their value and what is accepted; nothing
// is rounded, masked or clamped in silence.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createIds } from 'mintid'
import { assertFails, assertRefused } from './support/failure.mjs'

const LONGEST_MS = 2 ** 31 - 1
const HIGHEST_ID = 2n ** 63n - 2n
const NO_NUMBERS = [Number.NaN, Infinity, -Infinity, '5', '', null, true, {}, [5]]

const number = (least, most, words) => ({
  accepted: `${words} from ${least} to ${most}`,
  bad: [least - 1, -1, most + 1, 2 ** 53, 0.5, 1.5, 5n, ...NO_NUMBERS],
  good: [least, most],
})
const count = (least = 1, most = 2 ** 48) => number(least, most, 'an integer')
const ms = (least) => number(least, LONGEST_MS, 'whole milliseconds')
const id = () => ({
  accepted: `a bigint or a safe integer from 1 to ${HIGHEST_ID}`,
  bad: [0, 0n, -1, -1n, 1.5, 2 ** 53, HIGHEST_ID + 1n, ...NO_NUMBERS],
  good: [1, 1n, HIGHEST_ID],
})
const flag = () => ({
  accepted: 'true or false',
  bad: [0, 1, 1n, 'true', '', null, {}],
  good: [true, false],
})
const choice = (...words) => ({
  accepted: `one of ${words.join(', ')}`,
  bad: ['', 'linear', 'Fixed', 'fixed ', 1, 1n, null, true, {}],
  good: words,
})
const durability = () => ({
  accepted: '"none", "disk" or { replicas: n } with n from 1 to 100',
  bad: [
    '',
    'Disk',
    'replicas:1',
    1,
    1n,
    null,
    true,
    [],
    {},
    { replicas: 0 },
    { replicas: 101 },
  ].concat([{ replicas: 1.5 }, { replicas: '1' }, { replicas: 1, disk: true }]),
  good: ['none', 'disk', { replicas: 1 }, { replicas: 100 }],
})
const tls = () => ({
  accepted: 'an object with ca, cert and key in PEM, and servername',
  bad: [true, 'ca', null, 1, [], { ca: 1 }, { cert: [1] }, { servername: 5 }, { passphrase: 'x' }],
  good: [{}, { ca: 'pem' }, { ca: [new Uint8Array(3), 'pem'], servername: 'redis' }],
})
const text = () => ({ accepted: 'text', bad: [0, 1n, null, true, {}, ['a']], good: ['shop'] })

const SCOPES = {
  createIds: {
    open: (options) => createIds('memory:', options),
    near: [
      ['nameSpace', 'namespace'],
      ['connectTimeOut', 'connectTimeout'],
      ['allowCreat', 'allowCreate'],
      ['userName', 'username'],
      ['acceptLost', 'acceptLoss'],
    ],
    rows: [
      ['namespace', text()],
      ['allowCreate', flag()],
      ['repair', flag()],
      ['jump', count()],
      ['key', text()],
      ['durability', durability()],
      ['acceptLoss', flag()],
      ['identity', choice('server', 'none')],
      ['username', text()],
      ['password', text()],
      ['database', count(0, 255)],
      ['tls', tls()],
      ['connectTimeout', ms(1)],
      ['allowNetworkFile', flag()],
    ],
  },
  segment: {
    open: (options) => createIds('memory:').segment('orders', options),
    near: [
      ['stepp', 'step'],
      ['Step', 'step'],
      ['maxbatch', 'maxBatch'],
      ['rangeTTL', 'rangeTtl'],
      ['looahead', 'lookahead'],
    ],
    rows: [
      ['policy', choice('lookahead', 'proportional', 'doubling', 'fixed')],
      ['step', count()],
      ['step', count(), { policy: 'fixed' }],
      // Below max there must be room for one step.
      ['initialOffset', id(), { step: 1 }],
      ['max', id(), { step: 1 }],
      ['keep', { ...count(0, 2 ** 24), good: [0, 500] }],
      ['lookahead', ms(0)],
      // No batch is smaller than the step, which is 100 unless it is given.
      ['maxBatch', { ...count(), good: [100, 2 ** 48] }],
      ['reserveTimeout', ms(1)],
      ['rangeTtl', ms(1)],
      ['preload', ms(1), { policy: 'proportional' }],
      ['fetchDuration', ms(1), { policy: 'doubling' }],
      ['stepMin', { ...count(), good: [1, 1_000_000] }, { policy: 'proportional' }],
      ['stepMax', count(), { policy: 'doubling' }],
    ],
  },
}

for (const [scope, { open, near, rows }] of Object.entries(SCOPES)) {
  for (const [name, { accepted, bad, good }, others = {}] of rows) {
    test(`${scope}: ${name} is refused unless it is ${accepted}`, async () => {
      for (const value of bad) {
        await assertRefused(() => open({ ...others, [name]: value }), name, value, accepted)
      }
      for (const value of good) open({ ...others, [name]: value })
      open({ ...others, [name]: undefined })
    })
  }

  for (const [name, nearest] of near) {
    test(`${scope}: the unknown option ${name} is refused with ${nearest}`, () =>
      assertRefused(() => open({ [name]: 1 }), name, 1, `did you mean ${nearest}?`))
  }

  test(`${scope}: an option that is near to none is refused with all there are`, async () => {
    for (const [name] of rows) await assertRefused(() => open({ colour: 1 }), 'colour', 1, name)
  })

  test(`${scope}: options that are no object are refused`, async () => {
    for (const options of [null, 5, 5n, 'step', true, []]) {
      await assertRefused(() => open(options), 'options', options, 'an object')
    }
  })
}

for (const [options, name, value, accepted] of [
  [{ policy: 'fixed', lookahead: 1000 }, 'lookahead', 1000, 'policy lookahead'],
  [{ policy: 'fixed', stepMax: 8 }, 'stepMax', 8, 'policy'],
  [{ policy: 'doubling', preload: 1000 }, 'preload', 1000, 'policy proportional'],
  [{ policy: 'proportional', step: 10 }, 'step', 10, 'policy'],
  [{ max: 4, initialOffset: 5 }, 'max', 4, 'at least'],
  [{ max: 99 }, 'max', 99, 'at least 100'],
  [{ step: 10, maxBatch: 9 }, 'maxBatch', 9, 'step = 10'],
  [{ policy: 'doubling', stepMin: 9, stepMax: 8 }, 'stepMax', 8, 'stepMin = 9'],
]) {
  test(`segment: ${JSON.stringify(options)} is at odds with itself`, () =>
    assertRefused(() => createIds('memory:').segment('orders', options), name, value, accepted))
}

test('another handle with another value is refused with both', async () => {
  const ids = createIds('memory:')
  const first = ids.segment('orders', { step: 7, initialOffset: 5n })
  for (const [options, name, value, other] of [
    [{ step: 8 }, 'step', 8, '7'],
    [{ initialOffset: 6n }, 'initialOffset', 6, '5'],
    [{ rangeTtl: 1000 }, 'rangeTtl', 1000, 'none'],
  ]) {
    await assertRefused(() => ids.segment('orders', options), name, value, `has ${other}`)
  }
  const otherPolicy = () => ids.segment('orders', { policy: 'fixed' })
  const { message } = await assertFails(otherPolicy, 'ERR_MINTID_CONFIG_INVALID')
  assert.match(message, /^policy = .*fixed.*: another handle has lookahead/)
  // What is left out matches anything, and a refusal has taken nothing away.
  assert.equal(await ids.segment('orders').next(), 5n)
  assert.equal(await ids.segment('orders', { step: 7, initialOffset: 5 }).next(), 6n)
  assert.equal(await first.next(), 7n)
})

test('another store of the same place with another value is refused with both', async () => {
  const ids = createIds('memory:of-two', { repair: false })
  await assertRefused(() => createIds('memory:of-two', { repair: true }), 'repair', true, 'false')
  assert.equal(await createIds('memory:of-two').segment('orders').next(), 1n)
  await ids.close()
})
