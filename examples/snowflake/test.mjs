// Runs the example as its head says, and checks what it prints.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const EXAMPLE = fileURLToPath(new URL('index.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'mintid-example-'))
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

/** What a run on a file says: its machine number, its ids, and between which ids they lie. */
async function run(file) {
  const { stdout } = await promisify(execFile)(process.execPath, [EXAMPLE, join(folder, file)])
  const lines = stdout.trimEnd().split('\n')
  const numbers = (word) =>
    lines.filter((line) => line.startsWith(word)).flatMap((line) => line.match(/\d+/g).map(BigInt))
  const [machine] = numbers('machine')
  const [from, to] = numbers('between')
  return { machine, ids: numbers('reading'), from, to }
}

test('its ids grow, hold its machine number, and lie between the ids of its times', async () => {
  const { machine, ids, from, to } = await run('one.db')
  assert.equal(ids.length, 5_003)
  for (let i = 1; i < ids.length; i++) assert.ok(ids[i] > ids[i - 1])
  for (const id of ids) {
    assert.equal((id >> 12n) & 1023n, machine)
    assert.ok(id >= from && id <= to)
  }
})

test('runs at the same time repeat no id', async () => {
  const runs = await Promise.all(Array.from({ length: 4 }, () => run('shared.db')))
  const ids = runs.flatMap((each) => each.ids)
  assert.equal(new Set(ids).size, ids.length)
})
