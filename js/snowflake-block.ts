// The fast path of Snowflake ids: a few ids of the present tick per lease and realm, which the
// addon fills in one call.
//
// The time in an id is the time at which it is handed out. So what the block holds is good while
// the clock tells exactly what it told *before* the block was filled, and whatever the realm draws
// past the block leaves it empty. Uniqueness depends on neither: each id was drawn once.
//
// Invariant: while anybody waits, the block is empty. So a caller that finds an id may take it.

import type { NativeSnowflake } from './binding.js'
import { monotonic, wallClock } from './clock.js'
import { MintIdError, ofChain } from './errors.js'
import { subscribeIfWatched } from './events.js'
import { type Need, Queue } from './queue.js'
import type { Waiter } from './waiters.js'

/** A tick begins with small blocks, so that threads do not starve each other of its ids. */
const SMALLEST = 4
const LARGEST = 256
/** What one call of the addon draws at most: a layout may have billions of ids in a tick. */
const PIECE = 16_384
/** How long ids are drawn into an array before others have their turn, in ms. */
const TURN_MS = 1
/** How long a synchronous caller looks at the clock, in ms. */
const SPIN_MS = 1
/** How long a queue looks for the next tick at every turn of the event loop, in ms. */
const POLL_MS = 2

/** Why a caller gets nothing who does not wait, while a long array is being filled. */
const BEHIND_OTHERS = {
  code: 'ERR_MINTID_SEGMENT_EMPTY',
  message: 'others have asked for ids before and are being served: await next()',
}

/** What a store says comes as the cause of what it means to a caller. */
const TROUBLE = ['ERR_MINTID_STORE_ERROR', 'ERR_MINTID_STORE_UNAVAILABLE']

const NO_IDS = new BigUint64Array(0)

// Taken before a test puts timers of its own in their place.
const timers = { setImmediate, clearImmediate, setTimeout, clearTimeout }

/** A clock that is moved by hand. */
export interface HandClock {
  /** The present, in ms. */
  now(): number
  /** Calls `listener` once, at the next move; gives back what takes it off. */
  onMove(listener: () => void): () => void
}

export class SnowflakeBlock extends Queue {
  /** The ids; those in [at, end) may be handed out while the clock tells `stamp`. */
  ids = NO_IDS
  at = 0
  end = 0
  /** What the clock told before the block was filled; nothing that a clock tells without ids. */
  stamp = Number.NaN
  /** The time for which the ids are good, both ends included. */
  #from = Number.NaN
  #last = Number.NaN
  #room = SMALLEST
  /** Since when there was no id, on the clock of deadlines. */
  #dryAt: number | undefined
  /** Whether drawing was broken off to let others have their turn. */
  #isBrokenOff = false

  /** The one of `#natives` that draws. */
  #native: NativeSnowflake
  /** What the handles of this realm hold. */
  readonly #natives = new Set<NativeSnowflake>()
  readonly #tickMs: number
  readonly #clock: HandClock | undefined
  #endPause = (): void => {}

  /** `tickMs` is how long a tick lasts, `clock` what the engine goes by instead of real time. */
  constructor(native: NativeSnowflake, tickMs: number, clock?: HandClock) {
    super()
    this.#native = native
    this.#tickMs = tickMs
    this.#clock = clock
  }

  take(): bigint | undefined {
    return this.#isFresh() || this.#refill() ? this.ids[this.at++] : undefined
  }

  /** As `tryTake`; where the next tick is near, it is looked for. */
  takeSoon(): bigint | undefined {
    const id = this.tryTake()
    if (id !== undefined || !this.#isSoon()) return id
    const end = monotonic() + SPIN_MS
    for (;;) {
      // Read before the last attempt: a thread that was put aside has one more.
      const isLast = monotonic() >= end
      const next = this.tryTake()
      if (next !== undefined || isLast) return next
    }
  }

  copyTo(array: BigUint64Array, filled: number): number {
    let at = filled
    if (this.#isFresh()) {
      const taken = Math.min(array.length - at, this.end - this.at)
      array.set(this.ids.subarray(this.at, this.at + taken), at)
      this.at += taken
      at += taken
    }
    if (at < array.length) at += this.#drawInto(array, at)
    if (at > filled) this.#dryAt = undefined
    return at - filled
  }

  #drawInto(array: BigUint64Array, from: number): number {
    subscribeIfWatched()
    this.#isBrokenOff = false
    const end = monotonic() + TURN_MS
    let at = from
    for (;;) {
      const drawn = this.#native.refill(array, at, Math.min(array.length - at, PIECE))
      at += drawn
      if (drawn === 0 || at === array.length) return at - from
      this.#isBrokenOff = monotonic() >= end
      if (this.#isBrokenOff) return at - from
    }
  }

  /** Whether the block has an id of the present tick. Gives up on those of another. */
  #isFresh(): boolean {
    if (this.at >= this.end) return false
    const now = this.#now()
    if (now < this.#from || now > this.#last) {
      this.#empty()
      return false
    }
    this.#restamp(now)
    return true
  }

  #refill(): boolean {
    subscribeIfWatched()
    this.#isBrokenOff = false
    if (this.ids.length === 0) this.ids = new BigUint64Array(LARGEST)
    // Read before the fill: a tick that begins in between makes the ids stale, never early.
    const now = this.#now()
    const isSameTick = now >= this.#from && now <= this.#last
    const room = isSameTick ? Math.min(this.#room * 2, LARGEST) : SMALLEST
    this.at = 0
    this.end = this.#native.refill(this.ids, 0, room)
    if (this.end === 0) {
      // Whatever comes next is of another tick, even if that has begun before `now` was read.
      this.#from = Number.NaN
      return false
    }
    this.#dryAt = undefined
    this.#room = room
    this.#from = this.#tickMs === 1 ? now : this.#native.parse(this.ids[0] as bigint).timestamp
    this.#last = this.#from + this.#tickMs - 1
    this.#restamp(now)
    return true
  }

  /** The ids are good while the clock tells `now`; the next ms is looked at anew. */
  #restamp(now: number): void {
    // Without a stamp each id is looked at: the clock that the fast path reads is not the one.
    const isGood = this.#clock === undefined && now >= this.#from && now <= this.#last
    this.stamp = isGood ? now : Number.NaN
  }

  #empty(): void {
    this.#native.waste(this.end - this.at)
    this.at = this.end
  }

  #now(): number {
    return this.#clock === undefined ? wallClock() : this.#native.now()
  }

  waste(ids: number): void {
    if (ids > 0) this.#native.waste(ids)
  }

  stats(): NonNullable<ReturnType<NativeSnowflake['stats']>> | null {
    const left = this.#isFresh() ? this.end - this.at : 0
    const stats = this.#native.stats()
    return stats && { ...stats, issued: stats.issued - left }
  }

  /** One more handle of this realm has it. */
  admit(native: NativeSnowflake): void {
    this.#natives.add(native)
  }

  /** A handle has let go; `true` if it was the last one of this realm. */
  dismiss(native: NativeSnowflake): boolean {
    this.#natives.delete(native)
    const [other] = this.#natives
    if (native === this.#native) {
      if (this.#isFresh() && other === undefined) this.#empty()
      // Those who wait through other handles go on by one of them.
      this.interrupt()
      this.#native = other ?? native
    }
    native.close()
    return other === undefined
  }

  time(): number {
    return this.#clock === undefined ? monotonic() : this.#clock.now()
  }

  /** Whoever comes may find what those who wait have not noticed yet: it is theirs. */
  protected override isFree(): boolean {
    return this.serveNow()
  }

  protected async waitForIds({ newcomers, limit }: Need): Promise<boolean> {
    if (newcomers > 0) this.#native.countWaits(newcomers)
    const { kind, waitMs, chain } = this.#why()
    if (kind === 'failed') return await Promise.reject(chain)
    if (limit <= 0) return false
    if (kind === 'lease') {
      // The last attempt finds out what the store has said meanwhile.
      return (await this.#native.waitForLease(limit)) || this.#refill()
    }
    await (kind === 'turn' ? this.#pause() : this.#pauseFor(Math.min(waitMs, limit)))
    return true
  }

  protected endWait(): void {
    this.#endPause()
    this.#native.endWait()
  }

  protected lateness({ limit, owner }: Waiter): MintIdError {
    const { kind, chain } = this.#why()
    const cause = ofChain(chain)
    // Whoever set no limit of its own has waited for the lease as long as it should.
    const isPatient = kind === 'lease' && limit >= this.#native.reserveTimeout
    if (isPatient && !TROUBLE.includes(cause.code)) return cause
    return unavailable(`"${owner.name}" gave no id within ${limit} ms`, cause)
  }

  /** Why there is no id now, for a caller who does not wait. */
  refusal(owner: { readonly name: string }): MintIdError {
    const cause = ofChain(this.#why().chain)
    if (!TROUBLE.includes(cause.code)) return cause
    return unavailable(`"${owner.name}" has no id at this moment`, cause)
  }

  #why(): ReturnType<NativeSnowflake['why']> {
    if (!this.#isBrokenOff) return this.#native.why()
    this.#isBrokenOff = false
    return { kind: 'turn', waitMs: 0, chain: [BEHIND_OTHERS] }
  }

  /** Whether a look at the clock will do. Where ticks are seconds nothing spins. */
  #isSoon(): boolean {
    if (this.#tickMs > 1 || this.#clock !== undefined) return false
    const { kind, waitMs } = this.#native.why()
    return (kind === 'full' || kind === 'behind') && waitMs <= SPIN_MS
  }

  /** Until another look is worth it: at the next turn at first, by a timer where that is long. */
  #pauseFor(ms: number): Promise<void> {
    this.#dryAt ??= this.time()
    const isReal = this.#tickMs === 1 && this.#clock === undefined
    const mayPoll = isReal && ms <= POLL_MS && this.time() - this.#dryAt < POLL_MS
    return this.#pause(mayPoll ? undefined : ms)
  }

  /** A pause of `ms`, or of one turn of the event loop. */
  #pause(ms?: number): Promise<void> {
    return new Promise((resolve) => {
      const cancel = this.#begin(resolve, ms)
      this.#endPause = () => {
        cancel()
        resolve()
      }
    })
  }

  /** Calls `resume` when there may be something new; gives back what prevents it. */
  #begin(resume: () => void, ms: number | undefined): () => void {
    if (ms === undefined) {
      const turn = timers.setImmediate(resume)
      return () => timers.clearImmediate(turn)
    }
    if (this.#clock !== undefined) return this.#clock.onMove(resume)
    const timer = timers.setTimeout(resume, Math.max(Math.ceil(ms), 1))
    return () => timers.clearTimeout(timer)
  }
}

const unavailable = (what: string, cause: MintIdError) =>
  new MintIdError('ERR_MINTID_RANGE_UNAVAILABLE', `${what}: ${cause.message}`, cause)

const EMPTY: Partial<NativeSnowflake> = { refill: () => 0 }
/** What closed handles read from: it never has an id. */
export const CLOSED = new SnowflakeBlock(EMPTY as NativeSnowflake, 1)
