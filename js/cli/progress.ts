// How far a long output is: a bar on a terminal, where no results are printed.

const LONG = 1_000_000
const EVERY_MS = 100
const WIDTH = 30

export class Progress {
  readonly #total: number
  readonly #isShown: boolean
  #shownAt = Number.NEGATIVE_INFINITY

  constructor(total: number) {
    this.#total = total
    this.#isShown = total >= LONG && process.stderr.isTTY && !process.stdout.isTTY
  }

  show(done: number): void {
    const now = performance.now()
    if (!this.#isShown || now - this.#shownAt < EVERY_MS) return
    this.#shownAt = now
    const part = done / this.#total
    const bar = '█'.repeat(Math.floor(part * WIDTH)).padEnd(WIDTH, '░')
    const figures = `${grouped(done)} of ${grouped(this.#total)} ids`
    process.stderr.write(`\r${bar} ${Math.floor(part * 100)} %  ${figures}`)
  }

  /** Clears the bar, which is of no use once it is over. */
  end(): void {
    if (this.#isShown) process.stderr.write('\r\x1b[K')
  }
}

/** 1234567 as 1,234,567. */
const grouped = (number: number) => number.toLocaleString('en-US')
