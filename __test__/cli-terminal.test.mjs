// What a terminal shows while `mintid next` prints much. `script` is the one of util-linux.

import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { shell } from './support/cli.mjs'
import { storeOf } from './support/folder.mjs'

const MANY = 1_000_000

/** What a terminal shows of a command, whose ids go to `ids.txt` unless they go there as well. */
async function shown(t, command) {
  const { file, url } = storeOf(t)
  const cwd = dirname(file)
  const { code } = await shell(t, `script -qec '${command}' shown.txt`, { url, cwd })
  assert.equal(code, 0)
  // The first and the last line are those of `script`.
  const text = readFileSync(join(cwd, 'shown.txt'), 'utf8').split('\n').slice(1, -2).join('\n')
  return { text, ids: join(cwd, 'ids.txt') }
}

test('a bar on a terminal shows how far a long output is, and is cleared', async (t) => {
  const { text, ids } = await shown(t, `mintid next orders -n ${MANY} > ids.txt`)
  assert.ok(text.startsWith('\r░'), JSON.stringify(text))
  assert.match(text, / 0 % {2}0 of 1,000,000 ids/)
  assert.ok(text.trimEnd().endsWith('\r\x1b[K'), JSON.stringify(text))
  const digits = 9 + 90 * 2 + 900 * 3 + 9_000 * 4 + 90_000 * 5 + 900_000 * 6 + 7
  assert.equal(statSync(ids).size, digits + MANY)
})

test('a short output has no bar', async (t) => {
  const { text } = await shown(t, 'mintid next orders -n 1000 > ids.txt')
  assert.equal(text, '')
})

test('ids on the same terminal have no bar between them', async (t) => {
  const { text } = await shown(t, `mintid next orders -n ${MANY}`)
  assert.ok(text.startsWith('1\r\n2\r\n3\r\n'), JSON.stringify(text.slice(0, 99)))
  assert.ok(!text.includes('░'))
})

test('no bar is written where no terminal is', async (t) => {
  const { file, url } = storeOf(t)
  const script = `mintid next orders -n ${MANY} > ids.txt`
  const { code, stderr } = await shell(t, script, { url, cwd: dirname(file) })
  assert.equal(code, 0)
  assert.equal(stderr, '')
})
