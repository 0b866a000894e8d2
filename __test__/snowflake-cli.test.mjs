// `mintid decode` and `mintid machines`.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createIds } from 'mintid'
import { mintid } from './support/cli.mjs'
import { storeOf } from './support/folder.mjs'

/** What a command prints, which ends well and has nothing else to say. */
async function printed(words, options) {
  const { code, stdout, stderr } = await mintid(words, options)
  assert.deepEqual([code, stderr], [0, ''])
  return stdout
}

/** The message of a command that fails with this code. */
async function refused(words, expected, options) {
  const { code, stdout, stderr } = await mintid(words, options)
  assert.deepEqual([code, stdout], [expected, ''], stderr)
  return stderr
}

test('an id is taken apart, without a store', async () => {
  assert.deepEqual((await printed(['decode', '915231337350832128'])).split('\n'), [
    'time      2026-11-30T13:22:35.000Z',
    'machine   418',
    'sequence  0',
    '',
  ])
  assert.deepEqual(JSON.parse(await printed(['decode', '915231337350832129', '--json'])), {
    id: '915231337350832129',
    timestamp: '2026-11-30T13:22:35.000Z',
    machine: 418,
    sequence: 1,
  })
})

for (const [layout, id, told] of [
  ['jsSafe', 2n ** 53n - 1n, ['2089-09-06T15:47:35.551Z', 63, 63]],
  ['41/10/12', 4_194_304n, ['2020-01-01T00:00:00.001Z', 0, 0]],
  ['41/10/12/ms', 4_194_304n, ['2020-01-01T00:00:00.001Z', 0, 0]],
  ['40/8/11/s/0', (60n << 19n) | (7n << 11n) | 5n, ['1970-01-01T00:01:00.000Z', 7, 5]],
]) {
  test(`ids of the layout ${layout} too`, async () => {
    const json = await printed(['decode', String(id), '--layout', layout, '--json'])
    const { timestamp, machine, sequence } = JSON.parse(json)
    assert.deepEqual([timestamp, machine, sequence], told)
  })
}

for (const [words, code, said] of [
  ['decode', 2, /ID is missing: mintid decode ID/],
  ['decode 12a', 1, /"12a" is no id of "snowflake": expected .*ERR_MINTID_ID_INVALID/],
  ['decode -- -5', 1, /"-5" is no id/],
  ['decode 9223372036854775808', 1, /below 2\^63/],
  ['decode 9007199254740992 --layout jsSafe', 1, /below 2\^53/],
  ['decode 1 --layout 5', 2, /--layout = "5": expected jsSafe, or bits/],
  ['decode 1 --layout 41/10/12/min', 2, /--layout = "41\/10\/12\/min": expected/],
  ['decode 1 --layout 50/10/12', 2, /timestampBits = 50: .* at most 63/],
  ['decode 1 --store memory:', 2, /there is no option --store here: --layout, --json, --help/],
  ['machines free 7', 2, /"free" is not understood: expected release N --force/],
  ['machines release', 2, /N is missing: mintid machines release N --force/],
  ['machines release 7', 2, /machine 7 is freed by --force alone/],
  ['machines release x --force', 2, /N = "x": expected a whole number from 0 to 65535/],
  ['machines release 65536 --force', 2, /N = "65536": expected/],
  ['machines release 7 8 --force', 2, /"8" is too much/],
  ['machines --force', 2, /--force goes with release N/],
]) {
  test(`mintid ${words} is told what is wrong`, async (t) => {
    const { url } = storeOf(t)
    assert.match(await refused(words.split(' '), code, { url }), said)
  })
}

test('who holds which number is a row', async (t) => {
  const { url } = storeOf(t)
  const none = await mintid(['machines'], { url })
  assert.deepEqual([none.code, none.stdout], [0, ''])
  assert.match(none.stderr, /has no machine number that is or was in use/)
  const ids = createIds(url)
  t.after(() => ids.close())
  const events = ids.snowflake('events', { machine: 7 })
  await events.ready()
  const [head, row] = (await printed(['machines'], { url })).split('\n')
  const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`
  assert.match(head, /^machine {2}held {2}until {2,}ceiling {2,}owner$/)
  assert.match(
    row,
    new RegExp(`^ {6}7 {2}yes {3}${time} {2}${time} {2}\\S+:${process.pid}:[0-9a-f]{32}$`),
  )
  const { store, machines } = JSON.parse(await printed(['machines', '--json'], { url }))
  assert.equal(store, url)
  const [{ until, ceiling, owner, ...rest }] = machines
  assert.deepEqual(rest, { machine: 7, held: true, foreign: false })
  assert.ok(row.includes(until) && row.includes(ceiling) && row.endsWith(owner))
})

test('a number is freed by force, and keeps its ceiling', async (t) => {
  const { url } = storeOf(t)
  const ids = createIds(url)
  t.after(() => ids.close())
  await ids.snowflake('events', { machine: 7 }).ready()
  const [before] = await ids.machines()
  assert.equal(
    await printed(['machines', 'release', '7', '--force'], { url }),
    'machine 7 is free: its next holder starts above its ceiling\n',
  )
  const [after] = await ids.machines()
  assert.deepEqual([after.isHeld, after.ceiling], [false, before.ceiling])
  const again = ['machines', 'release', '7', '--force']
  assert.equal(await printed(again, { url }), 'machine 7 was not held: nothing was changed\n')
  const json = await printed([...again, '--json'], { url })
  assert.deepEqual(JSON.parse(json), { machine: 7, changed: false })
})

test('a namespace has machine numbers of its own', async (t) => {
  const { url } = storeOf(t)
  const ids = createIds(url, { namespace: 'shop' })
  t.after(() => ids.close())
  await ids.snowflake('events', { machine: 3 }).ready()
  const list = async (...words) =>
    JSON.parse(await printed(['machines', '--json', ...words], { url })).machines
  assert.deepEqual(await list(), [])
  assert.equal((await list('--namespace', 'shop'))[0].machine, 3)
})
