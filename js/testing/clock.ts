// A clock that is moved by hand.

import type { TestClock } from '../../testing.js'
import type { NativeTestBenchHandle as NativeTestBench } from '../binding.js'
import type { HandClock } from '../snowflake-block.js'
import { checkMs, checkStep } from './checks.js'

/** Taken before a test puts timers of its own in its place. */
const nextTurn = setImmediate

/** A turn in which the engine did nothing may have left it something to do: two have not. */
const QUIET_TURNS = 2
/** Where callers answer each id by asking for the next, there is no end to what can happen. */
const MOST_TURNS = 1_000

export class Clock implements TestClock, HandClock {
  readonly #bench: NativeTestBench
  #moves: Promise<void> = Promise.resolve()
  readonly #listeners = new Set<() => void>()

  constructor(bench: NativeTestBench) {
    this.#bench = bench
  }

  now(): number {
    return this.#bench.now()
  }

  /** One move after another, so that two that nobody awaits add up. */
  async advance(ms: number): Promise<void> {
    checkMs(ms)
    this.#moves = this.#moves.then(() => this.#move(ms))
    await this.#moves
  }

  /** Sets the time of day; whoever waits for a time to pass notices nothing. */
  async walk(ms: number): Promise<void> {
    checkStep(ms)
    this.#moves = this.#moves.then(async () => {
      await this.#settle()
      this.#bench.walk(ms)
      await this.#tell()
    })
    await this.#moves
  }

  onMove(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  async #move(ms: number): Promise<void> {
    // What was started a moment ago begins to count before the time passes.
    await this.#settle()
    const end = this.now() + ms
    while (this.#bench.step(end)) await this.#tell()
    // The last step has come to the end, where nothing of the engine's was due.
    if (this.#listeners.size > 0) await this.#tell()
  }

  /** Lets happen what the move just made has brought about. */
  async #tell(): Promise<void> {
    const listeners = [...this.#listeners]
    this.#listeners.clear()
    for (const listener of listeners) listener()
    await this.#settle()
  }

  /** Lets the engine and this thread do by turns what can be done without time passing. */
  async #settle(): Promise<void> {
    let quiet = 0
    for (let turn = 0; turn < MOST_TURNS && quiet < QUIET_TURNS; turn++) {
      const before = this.#bench.activity
      await this.#bench.settle()
      // Every answer that the engine had sent before is here by then.
      await new Promise((resolve) => nextTurn(resolve))
      quiet = this.#bench.activity === before ? quiet + 1 : 0
    }
  }
}
