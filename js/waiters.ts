// Callers that wait for ids, in the order in which they came.

import { errorAt, invalid, type MintIdError, type Site } from './errors.js'

/** Where waiters get their ids from. */
export interface Source {
  /** One id, if there is one. */
  take(): bigint | undefined
  /** Copies ids into `array` from `filled` on; returns how many. */
  copyTo(array: BigUint64Array, filled: number): number
  /** Gives up on ids that were drawn and will not be handed out. */
  waste(ids: number): void
  /** Takes a waiter out of the queue. */
  leave(waiter: Waiter): void
}

/** How long a caller waits, and what may end it sooner. */
export interface Patience {
  /** When it has waited long enough, on the clock of its source. */
  readonly deadline: number
  /** How long that is, in ms. */
  readonly limit: number
  readonly signal: AbortSignal | undefined
  /** Where it called, for the stack of its error. */
  readonly site: Site
}

/** A caller that could not be served at once. */
export abstract class Waiter {
  readonly deadline: number
  readonly limit: number
  readonly #signal: AbortSignal | undefined
  readonly #site: Site
  readonly #reject: (reason: unknown) => void
  readonly #abort: () => void

  constructor(
    /** The handle it called, so that closing the handle rejects it. */
    readonly owner: { readonly name: string },
    source: Source,
    { deadline, limit, signal, site }: Patience,
    reject: (reason: unknown) => void,
  ) {
    this.deadline = deadline
    this.limit = limit
    this.#signal = signal
    this.#site = site
    this.#reject = reject
    this.#abort = () => {
      source.leave(this)
      this.#end(source, signal?.reason)
    }
    signal?.addEventListener('abort', this.#abort, { once: true })
  }

  /** How many ids it still wants. */
  abstract missing(): number

  /** Takes what it can get; `true` once it has been answered. */
  abstract serve(source: Source): boolean

  /** Gives up what it had taken. */
  protected abstract giveUp(source: Source): void

  /** Ends it with an error of its own, which leads to its caller. */
  fail(error: MintIdError, source: Source): void {
    this.#end(source, errorAt(this.#site, error))
  }

  /** It has been answered; a signal that lives on keeps nothing of it. */
  protected done(): void {
    this.#signal?.removeEventListener('abort', this.#abort)
  }

  #end(source: Source, reason: unknown): void {
    this.done()
    this.giveUp(source)
    this.#reject(reason)
  }
}

export class OneWaiter extends Waiter {
  readonly #resolve: (id: bigint) => void

  constructor(
    owner: Waiter['owner'],
    source: Source,
    patience: Patience,
    resolve: (id: bigint) => void,
    reject: (reason: unknown) => void,
  ) {
    super(owner, source, patience, reject)
    this.#resolve = resolve
  }

  missing(): number {
    return 1
  }

  serve(source: Source): boolean {
    const id = source.take()
    if (id === undefined) return false
    this.done()
    this.#resolve(id)
    return true
  }

  protected giveUp(): void {
    // It had nothing.
  }
}

export class ArrayWaiter<A extends BigUint64Array<ArrayBuffer>> extends Waiter {
  readonly #array: A
  readonly #resolve: (array: A) => void
  #filled: number

  constructor(
    owner: Waiter['owner'],
    source: Source,
    patience: Patience,
    { array, filled }: { array: A; filled: number },
    resolve: (array: A) => void,
    reject: (reason: unknown) => void,
  ) {
    super(owner, source, patience, reject)
    this.#array = array
    this.#filled = filled
    this.#resolve = resolve
  }

  missing(): number {
    return Math.max(this.#array.length - this.#filled, 1)
  }

  serve(source: Source): boolean {
    // An array that shrank or was detached while its caller waited cannot be filled any more.
    if (this.#array.length < this.#filled || this.#array.length === 0) {
      this.fail(invalid('array', this.#array, 'it was detached while it was being filled'), source)
      return true
    }
    this.#filled += source.copyTo(this.#array, this.#filled)
    if (this.#filled < this.#array.length) return false
    this.done()
    this.#resolve(this.#array)
    return true
  }

  /** What was written is lost, and must not be read as ids. */
  protected giveUp(source: Source): void {
    if (this.#array.length > 0) this.#array.fill(0n, 0, this.#filled)
    source.waste(this.#filled)
  }
}
