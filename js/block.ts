// The fast path: a run of ids per generator and realm, which the addon fills in one call.
//
// Ids in the block are granted already, so uniqueness never depends on what happens here. Every
// draw of the realm takes from the block first and stands behind one queue, so that ids grow from
// call to call.
//
// Invariant: while anybody waits, the block is empty. So a caller that finds an id may take it.

import { type NativeSegment, now } from './binding.js'
import { monotonic } from './clock.js'
import { closed, type MintIdError, ofChain } from './errors.js'
import { subscribeIfWatched } from './events.js'
import { type Need, Queue } from './queue.js'
import type { Waiter } from './waiters.js'

const SMALLEST = 16
const LARGEST = 1024
/** A block used up sooner than this, in ms, was too small. */
const QUICK = 10

const NO_IDS = new BigUint64Array(0)

export class Block extends Queue {
  /** How many handles of this realm share it. */
  handles = 0
  /** The ids; those in [at, limit) can be handed out without a further look. */
  ids = NO_IDS
  at = 0
  /** Where free reading ends: `end`, or 0 where each id has to be checked for its age first. */
  limit = 0
  /** One past the last id that the block holds. */
  #end = 0
  /** Where `at` stood when the addon was last told how many ids were used. */
  #told = 0
  #room = SMALLEST
  #filledAt = 0
  #expires: number | undefined

  readonly #native: NativeSegment
  readonly #hasTtl: boolean
  /** Whether the engine's clock is moved by hand, and no other is to be looked at. */
  readonly #hasManualClock: boolean
  readonly reserveTimeout: number

  constructor(native: NativeSegment) {
    super()
    this.#native = native
    this.#hasTtl = native.hasTtl
    this.#hasManualClock = native.hasManualClock
    this.reserveTimeout = native.reserveTimeout
  }

  get native(): NativeSegment {
    return this.#native
  }

  take(): bigint | undefined {
    return this.#isFresh() || this.#refill() ? this.ids[this.at++] : undefined
  }

  copyTo(array: BigUint64Array, filled: number): number {
    let copied = 0
    if (this.#isFresh()) {
      copied = Math.min(array.length - filled, this.#end - this.at)
      array.set(this.ids.subarray(this.at, this.at + copied), filled)
      this.at += copied
    }
    if (filled + copied < array.length) {
      subscribeIfWatched()
      copied += this.#native.fill(array, filled + copied)
    }
    return copied
  }

  /** Whether the block has an id that may be handed out. Drops ids that have grown too old. */
  #isFresh(): boolean {
    if (this.at >= this.#end) return false
    if (this.#expires !== undefined && this.#age() >= this.#expires) {
      this.#native.lose(this.#end - this.at)
      this.#end = this.at
      return false
    }
    return true
  }

  #refill(): boolean {
    subscribeIfWatched()
    const used = this.#used()
    const time = this.time()
    if (this.#end === this.#room && time - this.#filledAt < QUICK) {
      this.#room = Math.min(this.#room * 2, LARGEST)
    }
    if (this.ids.length < this.#room) this.ids = new BigUint64Array(this.#room)
    this.#filledAt = time
    this.at = 0
    this.#told = 0
    this.#end = this.#native.refill(this.ids, this.#room, used)
    if (this.#hasTtl) this.#expires = this.#native.expires() ?? undefined
    else this.limit = this.#end
    return this.#end > 0
  }

  /** How many ids were handed out since the addon was last told. */
  #used(): number {
    const used = this.at - this.#told
    this.#told = this.at
    return used
  }

  stats(): ReturnType<NativeSegment['stats']> {
    return this.#native.stats(this.#used())
  }

  health(): NonNullable<ReturnType<NativeSegment['health']>> {
    const health = this.#native.health(this.#used())
    if (health === null) throw closed(this.#native.key)
    return health
  }

  /** Lets go of the generator; what the block still holds is lost. */
  close(): void {
    // What was handed out is told first, or it would count as lost as well.
    this.stats()
    this.#native.close()
  }

  /** Gives up on ids that were drawn and will not be handed out. */
  waste(ids: number): void {
    if (ids > 0) this.#native.waste(ids)
  }

  protected waitForIds({ missing, newcomers, limit }: Need): Promise<boolean> {
    return this.#native.waitForIds(missing, newcomers, limit)
  }

  protected endWait(): void {
    this.#native.endWait()
  }

  protected lateness({ limit }: Waiter): MintIdError {
    return ofChain(this.#native.timedOut(limit))
  }

  /** The present on the clock of deadlines. */
  time(): number {
    return this.#hasManualClock ? this.#native.now() : monotonic()
  }

  /** The present on the clock by which ids grow old. */
  #age(): number {
    return this.#hasManualClock ? this.#native.now() : now()
  }
}

/** What closed handles read from: it never has an id. */
export const CLOSED = new Block({
  hasTtl: false,
  hasManualClock: false,
  reserveTimeout: 0,
} as NativeSegment)
