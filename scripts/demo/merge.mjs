// Merges the ids that all workers wrote, and counts what must not be: duplicates, and gaps.

import { readFileSync, statSync } from 'node:fs'

const ID_BYTES = BigUint64Array.BYTES_PER_ELEMENT

/** How many whole ids a file holds: a killed process may have been within one. */
export const countIds = (file) => Math.floor(statSync(file).size / ID_BYTES)

/**
 * Sorts the ids of all files together and looks at every one of them.
 * `gaps` are the ids missing between the lowest and the highest.
 */
export function merge(files) {
  const all = readIds(files).sort()
  let duplicates = 0
  let firstDuplicate
  for (let i = 1; i < all.length; i++) {
    if (all[i] !== all[i - 1]) continue
    duplicates++
    firstDuplicate ??= all[i]
  }
  const lowest = all[0]
  const highest = all[all.length - 1]
  const gaps = Number(highest - lowest + 1n) - (all.length - duplicates)
  return { ids: all.length, duplicates, firstDuplicate, gaps, lowest, highest }
}

/** The ids of all files, one file after another. */
export function readIds(files) {
  const counts = files.map(countIds)
  const all = new BigUint64Array(counts.reduce((sum, count) => sum + count, 0))
  const bytes = new Uint8Array(all.buffer)
  let at = 0
  for (const [i, file] of files.entries()) {
    const size = counts[i] * ID_BYTES
    bytes.set(readFileSync(file).subarray(0, size), at)
    at += size
  }
  return all
}
