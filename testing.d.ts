// The public types of mintid/testing, written by hand and the truth for both `import` and `require`.

import type { Ids, IdsOptions } from './index.js'

/** Generators for a test, with the store behind them and the clock they go by. */
export interface TestIds {
  /** Like those of `createIds`; `await ids.close()` ends all that still waits. */
  readonly ids: Ids
  /** The store behind them, with a switch for each of its faults. */
  readonly store: TestStore
  /** The time of the store and of the generators: it stands still until it is moved. */
  readonly clock: TestClock
}

/** A store in memory that nobody else can reach, and that fails to order. */
export interface TestStore {
  /** How many reservations were asked for. */
  readonly calls: number
  /** The next `n` reservations (default 1) are answered with an error, and grant nothing. */
  failNext(n?: number, message?: string): void
  /** Every call is answered with an error, until `recover`. */
  fail(message?: string): void
  /** The next `n` reservations (default 1) are granted, and answered with an error. */
  loseNextReply(n?: number): void
  /** No call is answered, until `recover`. */
  hang(): void
  /** Every reservation takes `ms` of the clock; 0 for none. */
  delay(ms: number): void
  /** Ends every fault above. What hangs is answered now. */
  recover(): void
  /** Sets the counter of a generator back to `value`, as a restored backup would. */
  goBack(name: string, value: bigint | string): void
  /** Forgets everything, as a flushed server would. */
  wipe(): void
  /** Seals a generator, as an operator would: it grants no more ids. `true` if it was not sealed. */
  seal(name: string): boolean
}

/**
 * A clock that is moved by hand, and begins at 0. The time of day, which Snowflake ids are made of,
 * begins at 2026-01-01T12:00:00Z and goes with it, unless it walks.
 */
export interface TestClock {
  /** The present, in ms. */
  now(): number
  /**
   * Moves the clock ahead by `ms`, and stops on the way wherever something is due. Resolves when
   * what was due has run as far as it can; 0 lets happen what needs no time.
   */
  advance(ms: number): Promise<void>
  /**
   * Sets the time of day ahead by `ms`, or back, as somebody who corrects the clock of a machine
   * does. Time limits, retries and leases go by a clock that does not notice.
   */
  walk(ms: number): Promise<void>
}

/** Generators on a store and a clock of their own, made for one test. Takes what `createIds` takes. */
export declare function createTestIds(options?: IdsOptions): TestIds
