// The one queue of a generator in a realm: callers that wait, and what is done to serve them.
//
// Invariant: whoever takes ids stands behind those who wait, so that ids grow from call to call.

import { closed, type MintIdError, ofChain } from './errors.js'
import type { Source, Waiter } from './waiters.js'

/** What those who wait are waiting for. */
export interface Need {
  /** How many ids. */
  readonly missing: number
  /** How many of them have come since the last time. */
  readonly newcomers: number
  /** How long the most impatient one still waits, in ms. */
  readonly limit: number
}

export abstract class Queue implements Source {
  #waiters: Waiter[] = []
  #newcomers = 0
  #isPumping = false
  /** Whether the wait under way was ended because nobody was left. */
  #isEnded = false

  /** One id from memory, whoever waits. */
  abstract take(): bigint | undefined

  /** Copies ids from memory into `array` from `filled` on, whoever waits; returns how many. */
  abstract copyTo(array: BigUint64Array, filled: number): number

  /** Gives up on ids that were drawn and will not be handed out. */
  abstract waste(ids: number): void

  /** The present on the clock of deadlines. */
  abstract time(): number

  /** Waits until there may be ids; `false` if they did not come in time. Rejects with a chain. */
  protected abstract waitForIds(need: Need): Promise<boolean>

  /** Ends that wait, in which nobody is left. */
  protected abstract endWait(): void

  /** What somebody is told who has waited in vain. */
  protected abstract lateness(waiter: Waiter): MintIdError

  /** Whether a caller who comes now has nobody before it. */
  protected isFree(): boolean {
    return this.#waiters.length === 0
  }

  /** One id from memory, for a caller that nobody stands before. */
  tryTake(): bigint | undefined {
    return this.isFree() ? this.take() : undefined
  }

  /** Copies ids from memory, for a caller that nobody stands before; returns how many. */
  tryCopyTo(array: BigUint64Array, filled: number): number {
    return this.isFree() ? this.copyTo(array, filled) : 0
  }

  wait(waiter: Waiter): void {
    this.#waiters.push(waiter)
    this.#newcomers++
    if (this.#isPumping) return
    this.#isPumping = true
    // After the caller's turn, so that everybody who calls in it is counted.
    queueMicrotask(() => void this.#pump())
  }

  /** Takes a waiter out of the queue. */
  leave(waiter: Waiter): void {
    this.#remove((other) => other === waiter)
  }

  /** Rejects everybody who called through `owner`. */
  rejectAll(owner: Waiter['owner']): void {
    const theirs = this.#remove((waiter) => waiter.owner === owner)
    for (const waiter of theirs) waiter.fail(closed(owner.name), this)
  }

  /** Serves those who wait, before their wait is over; `true` if nobody is left. */
  protected serveNow(): boolean {
    if (this.#waiters.length === 0) return true
    if (!this.#serve()) return false
    this.interrupt()
    return true
  }

  /** Ends the wait under way, so that those who still wait begin another. */
  protected interrupt(): void {
    this.#isEnded = true
    this.endWait()
  }

  /** Takes those who match out of the queue. */
  #remove(matches: (waiter: Waiter) => boolean): Waiter[] {
    const removed = this.#waiters.filter(matches)
    this.#waiters = this.#waiters.filter((waiter) => !matches(waiter))
    // A wait that nobody needs would hold the event loop.
    if (this.#waiters.length === 0) this.interrupt()
    return removed
  }

  /**
   * Serves the queue in its order. One wait for all: its failure rejects everybody, while a
   * caller's own time limit is nobody else's.
   */
  async #pump(): Promise<void> {
    while (!this.#serve()) {
      const missing = this.#waiters.reduce((sum, waiter) => sum + waiter.missing(), 0)
      const deadline = Math.min(...this.#waiters.map((waiter) => waiter.deadline))
      const newcomers = this.#newcomers
      this.#newcomers = 0
      this.#isEnded = false
      try {
        const limit = deadline - this.time()
        const inTime = await this.waitForIds({ missing, newcomers, limit })
        if (!inTime) this.#failLate(deadline)
      } catch (chain) {
        // A wait that was ended concerns nobody: whoever is here has come since.
        if (!this.#isEnded) this.#failAll(ofChain(chain))
      }
    }
    this.#isPumping = false
  }

  /** Serves as many as it can; `true` if nobody is left. */
  #serve(): boolean {
    let served = 0
    while (this.#waiters[served]?.serve(this)) served++
    this.#waiters.splice(0, served)
    return this.#waiters.length === 0
  }

  #failAll(error: MintIdError): void {
    for (const waiter of this.#waiters.splice(0)) waiter.fail(error, this)
  }

  /** Rejects those whose time is up, and those who came within the same millisecond. */
  #failLate(deadline: number): void {
    const late = this.#waiters.filter((waiter) => waiter.deadline < deadline + 1)
    this.#waiters = this.#waiters.filter((waiter) => waiter.deadline >= deadline + 1)
    for (const waiter of late) waiter.fail(this.lateness(waiter), this)
  }
}
