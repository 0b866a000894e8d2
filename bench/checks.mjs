// What every measurement watches besides the time: that no id comes twice, and what is wasted.

/** Ids grow from call to call of a realm: one that does not is a duplicate. */
export class Growing {
  #last = 0n

  /** Notes that `count` ids were drawn, of which `last` was the last. */
  advance(last, count) {
    if (last < this.#last + BigInt(count)) {
      throw new Error(`duplicate: ${count} ids after ${this.#last} ended with ${last}`)
    }
    this.#last = last
  }

  /** Notes every id of an array. */
  advanceAll(ids) {
    for (const id of ids) this.advance(id, 1)
  }
}

/** The waste that is printed beside every speed. */
export function waste({ wasted, reserved, issued }) {
  return { wasted, unused: reserved - issued }
}
