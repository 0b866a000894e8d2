// Seals a counter in a file that nobody has open.

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'

/** How the head of a row writes the numbers 0 and 1, which then take no room in the row itself. */
const ZERO = 8
const ONE = 9

/**
 * Sets `sealed` in the row of `key`: its head is its own length, the types of `key`, `value` and
 * `sealed`, and the key follows.
 */
export function seal(file, key) {
  const bytes = readFileSync(file)
  const text = Buffer.from(key)
  const head = Buffer.from([4, 13 + 2 * text.length])
  const rows = []
  for (let at = bytes.indexOf(head); at >= 0; at = bytes.indexOf(head, at + 1)) {
    const isRow = bytes[at + 3] === ZERO && bytes.subarray(at + 4).indexOf(text) === 0
    if (isRow) rows.push(at)
  }
  assert.equal(rows.length, 1, `${file} has one row of ${key}`)
  bytes[rows[0] + 3] = ONE
  writeFileSync(file, bytes)
}
