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

/** Runs the example on a file, and gives its lines. */
async function lines(file) {
  const { stdout } = await promisify(execFile)(process.execPath, [EXAMPLE, join(folder, file)])
  return stdout.trimEnd().split('\n')
}

/** Every id that a run printed. */
function idsOf([first, second, third, batch, range]) {
  const numbers = (line) => line.match(/\d+/g).map(Number)
  const [start, last] = numbers(range)
  const run = Array.from({ length: last - start + 1 }, (_, i) => start + i)
  return [first, second, third, batch].flatMap(numbers).concat(run)
}

test('the first run begins at 1', async () => {
  assert.deepEqual(await lines('first.db'), [
    'ticket 1n',
    'ticket 2n',
    'ticket 3n',
    'batch 4 5 6 7 8',
    'range 21n to 1020n',
    'given up 12',
  ])
})

test('later runs, also at the same time, repeat none of its ids', async () => {
  const first = await lines('shared.db')
  const later = await Promise.all([lines('shared.db'), lines('shared.db')])
  const ids = [first, ...later].flatMap(idsOf)
  assert.equal(ids.length, 3 * 1008)
  assert.equal(new Set(ids).size, ids.length)
})
