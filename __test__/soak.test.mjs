// The soak in small: that it does harm, that it finds what it looks for, and that it cleans up.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runScript } from './support/script.mjs'

const SMALL = ['--no-build', '--json', '--minutes', '0.05', '--processes', '2']

const soak = (t, args, options) => runScript(t, 'soak.mjs', args, options)

test('processes that are killed and paused, and threads that are terminated, repeat no id', async (t) => {
  const { code, stdout, stderr, left } = await soak(t, SMALL)
  assert.equal(code, 0, stderr)
  const { ids, duplicates, outOfOrder, gaps, highest, ...rest } = JSON.parse(stdout)
  assert.deepEqual({ duplicates, outOfOrder }, { duplicates: 0, outOfOrder: 0 })
  assert.ok(ids > 0, stdout)
  assert.equal(ids + gaps, highest)
  assert.ok(rest.killed > 0 && rest.paused > 0, stdout)
  assert.equal(rest.processes, 2 + rest.killed)
  assert.match(stderr, /% {2}[\d,]+ ids, \d+ kills/)
  assert.deepEqual(left, [])
})

test('counters that know nothing of each other are found out by a soak', async (t) => {
  const { code, stdout, stderr } = await soak(t, [...SMALL, '--store', 'memory:ids'])
  assert.equal(code, 1, stderr)
  assert.ok(JSON.parse(stdout).duplicates > 0, stdout)
})

test('a process that breaks off ends the soak', async (t) => {
  const store = 'sqlite:/no/such/folder/ids.db'
  const { code, stdout, stderr, left } = await soak(t, [...SMALL, '--store', store])
  assert.equal(code, 1)
  assert.equal(stdout, '')
  assert.match(stderr, /\/no\/such\/folder/)
  assert.match(stderr, /a process of the soak broke off: exit 1\n$/)
  assert.deepEqual(left, [])
})

test('an interrupted soak leaves nothing behind', async (t) => {
  const long = ['--no-build', '--minutes', '0.2']
  const { code, left } = await soak(t, long, { until: /ids, / })
  assert.equal(code, 130)
  assert.deepEqual(left, [])
})

for (const [args, named] of [
  [['--bogus'], '--bogus'],
  [['extra'], 'extra'],
  [['--minutes', '0'], "--minutes is '0'"],
  [['--minutes', '1e3'], "--minutes is '1e3'"],
  [['--minutes', '-1'], '--minutes'],
  [['--minutes', '1', '--processes', '65'], "--processes is '65'"],
  [['--minutes', '1', '--workers', ''], "--workers is ''"],
  [['--minutes', '1', '--store', ''], '--store'],
  [['--json'], '--json goes with --minutes'],
]) {
  test(`soak ${args.join(' ')} is refused by name`, async (t) => {
    const { code, stdout, stderr } = await soak(t, args)
    assert.equal(code, 2)
    assert.equal(stdout, '')
    assert.ok(stderr.includes(named), stderr)
  })
}

test('soak --help names every option', async (t) => {
  const { code, stdout } = await soak(t, ['--help'])
  assert.equal(code, 0)
  for (const name of ['minutes', 'processes', 'workers', 'store', 'json', 'no-build', 'help']) {
    assert.match(stdout, new RegExp(`--${name}\\b`))
  }
})
