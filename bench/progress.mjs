// Shows how far a measurement is: one changing line on a terminal, a line at each quarter elsewhere.

const QUARTERS = 4

export class Progress {
  #total
  #done = 0

  constructor(total) {
    this.#total = total
  }

  /** Notes that one more of `total` is done. */
  step(what) {
    const quarter = Math.floor((this.#done * QUARTERS) / this.#total)
    this.#done++
    const line = `  ${String(Math.floor((this.#done / this.#total) * 100)).padStart(3)} %  ${what}`
    if (process.stderr.isTTY) {
      // Back to the start of the line, and clear what a longer text left behind.
      process.stderr.write(`\r${line}\x1b[K${this.#done === this.#total ? '\n' : ''}`)
    } else if (Math.floor((this.#done * QUARTERS) / this.#total) > quarter) {
      process.stderr.write(`${line}\n`)
    }
  }
}
