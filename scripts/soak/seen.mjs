// Every id that was minted, as one bit each: ids are dense, so days of them fit into memory.

import { readFileSync } from 'node:fs'
import { countIds } from '../demo/merge.mjs'

const FIRST_BYTES = 2 ** 20

export class Seen {
  ids = 0
  duplicates = 0
  firstDuplicate
  /** Ids that are not above the one before them in their file. */
  outOfOrder = 0
  highest = 0
  #bits = new Uint8Array(FIRST_BYTES)

  /** The ids that are missing up to the highest. */
  get gaps() {
    return this.highest - (this.ids - this.duplicates)
  }

  /** Adds the ids of a file, which must grow in it. */
  add(file) {
    // A killed process may have been within an id.
    const bytes = new Uint8Array(readFileSync(file)).slice(
      0,
      countIds(file) * BigUint64Array.BYTES_PER_ELEMENT,
    )
    let before = 0
    for (const value of new BigUint64Array(bytes.buffer)) {
      const id = Number(value)
      if (id <= before) this.outOfOrder++
      before = id
      this.#see(id)
    }
  }

  #see(id) {
    this.ids++
    if (id > this.highest) this.highest = id
    const at = Math.floor(id / 8)
    if (at >= this.#bits.length) this.#grow(at)
    const bit = 1 << (id % 8)
    if ((this.#bits[at] & bit) !== 0) {
      this.duplicates++
      this.firstDuplicate ??= id
    }
    this.#bits[at] |= bit
  }

  #grow(at) {
    const bits = new Uint8Array(2 * (at + 1))
    bits.set(this.#bits)
    this.#bits = bits
  }
}
