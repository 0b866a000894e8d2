// The demo in small: its figures, its exit codes, and that it finds a duplicate when there is one.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runScript } from './support/script.mjs'

const IDS = 20_000
const SMALL = ['--no-build', '--json', '--ids', String(IDS), '--processes', '2']

const demo = (t, args, options) => runScript(t, 'demo.mjs', args, options)

test('several processes on one file mint every id once', async (t) => {
  const { code, stdout, stderr, left } = await demo(t, SMALL)
  assert.equal(code, 0, stderr)
  const figures = JSON.parse(stdout)
  assert.equal(figures.ids, IDS)
  assert.equal(figures.duplicates, 0)
  assert.equal(figures.killed, 0)
  assert.equal(figures.lowest, '1')
  assert.equal(Number(figures.highest), IDS + figures.gaps)
  // An id that was reserved and not issued is a gap, or lies above the highest one issued.
  assert.ok(figures.waste >= figures.gaps, stdout)
  assert.ok(figures.roundTrips >= figures.processes, stdout)
  assert.deepEqual(left, [])
})

test('a process killed midway repeats no id', async (t) => {
  const { code, stdout, stderr, left } = await demo(t, [...SMALL, '--kill'])
  assert.equal(code, 0, stderr)
  const figures = JSON.parse(stdout)
  assert.equal(figures.killed, 1)
  assert.equal(figures.duplicates, 0)
  // The process that lived mints its whole half, the killed one a part of the other.
  assert.ok(figures.ids > IDS / 2 && figures.ids < IDS, stdout)
  assert.deepEqual(left, [])
})

test('counters that know nothing of each other are found out', async (t) => {
  const { code, stdout, stderr } = await demo(t, [...SMALL, '--store', 'memory:ids'])
  assert.equal(code, 1, stderr)
  assert.ok(JSON.parse(stdout).duplicates > 0, stdout)
})

test('an interrupted demo leaves nothing behind', async (t) => {
  const many = ['--no-build', '--ids', '5000000']
  const { code, left } = await demo(t, many, { until: /a second/ })
  assert.equal(code, 130)
  assert.deepEqual(left, [])
})

test('a store that cannot be reached ends the demo with its error', async (t) => {
  const { code, stderr, left } = await demo(t, [
    ...SMALL,
    '--store',
    'sqlite:/no/such/folder/ids.db',
  ])
  assert.equal(code, 1)
  assert.match(stderr, /\/no\/such\/folder/)
  assert.deepEqual(left, [])
})

for (const [args, named] of [
  [['--bogus'], '--bogus'],
  [['extra'], 'extra'],
  [['--ids', '1e6'], "--ids is '1e6'"],
  [['--ids', '0'], "--ids is '0'"],
  [['--ids', '3'], '--ids 3'],
  [['--processes', '65'], "--processes is '65'"],
  [['--workers', ''], "--workers is ''"],
  [['--store', ''], '--store'],
  [['--store', 'memory:'], '--store memory:'],
  [['--kill', '--processes', '1'], '--kill'],
]) {
  test(`${args.join(' ')} is refused by name`, async (t) => {
    const { code, stdout, stderr } = await demo(t, args)
    assert.equal(code, 2)
    assert.equal(stdout, '')
    assert.ok(stderr.includes(named), stderr)
  })
}

test('--help names every option', async (t) => {
  const { code, stdout } = await demo(t, ['--help'])
  assert.equal(code, 0)
  for (const name of ['ids', 'processes', 'workers', 'store', 'kill', 'json', 'no-build']) {
    assert.match(stdout, new RegExp(`--${name}\\b`))
  }
})
