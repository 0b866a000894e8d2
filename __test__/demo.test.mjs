// The demo in small: its figures, its exit codes, and that it finds a duplicate when there is one.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const DEMO = fileURLToPath(new URL('../scripts/demo.mjs', import.meta.url))
const IDS = 20_000
const SMALL = ['--no-build', '--json', '--ids', String(IDS), '--processes', '2']

/** Runs the demo with a folder for temporary files of its own, and tells what it left there. */
async function demo(args, { until } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'mintid-test-'))
  try {
    const child = spawn(process.execPath, [DEMO, ...args], {
      env: { ...process.env, TMPDIR: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text
      if (until?.test(stderr)) child.kill('SIGINT')
    })
    const [code] = await once(child, 'close')
    return { code, stdout, stderr, left: readdirSync(folder) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

test('several processes on one file mint every id once', async () => {
  const { code, stdout, stderr, left } = await demo(SMALL)
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

test('a process killed midway repeats no id', async () => {
  const { code, stdout, stderr, left } = await demo([...SMALL, '--kill'])
  assert.equal(code, 0, stderr)
  const figures = JSON.parse(stdout)
  assert.equal(figures.killed, 1)
  assert.equal(figures.duplicates, 0)
  // The process that lived mints its whole half, the killed one a part of the other.
  assert.ok(figures.ids > IDS / 2 && figures.ids < IDS, stdout)
  assert.deepEqual(left, [])
})

test('counters that know nothing of each other are found out', async () => {
  const { code, stdout, stderr } = await demo([...SMALL, '--store', 'memory:ids'])
  assert.equal(code, 1, stderr)
  assert.ok(JSON.parse(stdout).duplicates > 0, stdout)
})

test('an interrupted demo leaves nothing behind', async () => {
  const many = ['--no-build', '--ids', '5000000']
  const { code, left } = await demo(many, { until: /a second/ })
  assert.equal(code, 130)
  assert.deepEqual(left, [])
})

test('a store that cannot be reached ends the demo with its error', async () => {
  const { code, stderr, left } = await demo([...SMALL, '--store', 'sqlite:/no/such/folder/ids.db'])
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
  test(`${args.join(' ')} is refused by name`, async () => {
    const { code, stdout, stderr } = await demo(args)
    assert.equal(code, 2)
    assert.equal(stdout, '')
    assert.ok(stderr.includes(named), stderr)
  })
}

test('--help names every option', async () => {
  const { code, stdout } = await demo(['--help'])
  assert.equal(code, 0)
  for (const name of ['ids', 'processes', 'workers', 'store', 'kill', 'json', 'no-build']) {
    assert.match(stdout, new RegExp(`--${name}\\b`))
  }
})
