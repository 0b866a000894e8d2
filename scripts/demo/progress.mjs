// Shows how far the demo is: a bar on a terminal, a line at each quarter elsewhere.

const BAR_WIDTH = 30
const QUARTERS = 4

export class Progress {
  #total
  #out
  #quarter = 0

  constructor(total, out) {
    this.#total = total
    this.#out = out
  }

  say(text) {
    this.#out.write(`${text}\n`)
  }

  show(done, seconds) {
    const part = done / this.#total
    const percent = `${Math.floor(part * 100)} %`.padStart(5)
    const line = `${percent}  ${grouped(done)} ids, ${grouped(Math.round(done / seconds))} a second`
    if (this.#out.isTTY) {
      const bar = '█'.repeat(Math.floor(part * BAR_WIDTH)).padEnd(BAR_WIDTH, '░')
      // Back to the start of the line, and clear what a longer text left behind.
      this.#out.write(`\r${bar} ${line}\x1b[K`)
      return
    }
    const quarter = Math.floor(part * QUARTERS)
    if (quarter > this.#quarter) this.say(line)
    this.#quarter = quarter
  }

  /** Leaves the line of the bar, so that what follows begins on one of its own. */
  end() {
    if (this.#out.isTTY) this.#out.write('\n')
  }
}

/** 1234567 as 1,234,567. */
export const grouped = (number) => number.toLocaleString('en-US')
