// Callers that wait for ids, in the order in which they came.

import type { Block } from './block.js'
import { invalid } from './errors.js'

/** A caller that could not be served at once. */
export interface Waiter {
  /** The handle it called, so that closing the handle rejects it. */
  readonly owner: object
  /** When it has waited long enough, on the scale of `performance.now()`. */
  readonly deadline: number
  /** How many ids it still wants. */
  missing(): number
  /** Takes what it can get; `true` once it has been answered. */
  serve(block: Block): boolean
  /** Ends it without an answer, and gives up what it had taken. */
  fail(error: unknown, block: Block): void
}

export class OneWaiter implements Waiter {
  constructor(
    readonly owner: object,
    readonly deadline: number,
    readonly resolve: (id: bigint) => void,
    readonly reject: (error: unknown) => void,
  ) {}

  missing(): number {
    return 1
  }

  serve(block: Block): boolean {
    const id = block.take()
    if (id === undefined) return false
    this.resolve(id)
    return true
  }

  fail(error: unknown): void {
    this.reject(error)
  }
}

export class ArrayWaiter<A extends BigUint64Array<ArrayBuffer>> implements Waiter {
  constructor(
    readonly owner: object,
    readonly deadline: number,
    readonly array: A,
    public filled: number,
    readonly resolve: (array: A) => void,
    readonly reject: (error: unknown) => void,
  ) {}

  missing(): number {
    return Math.max(this.array.length - this.filled, 1)
  }

  serve(block: Block): boolean {
    // An array that shrank or was detached while its caller waited cannot be filled any more.
    if (this.array.length < this.filled || this.array.length === 0) {
      this.fail(invalid('array', this.array, 'it was detached while it was being filled'), block)
      return true
    }
    this.filled += block.copyTo(this.array, this.filled)
    if (this.filled < this.array.length) return false
    this.resolve(this.array)
    return true
  }

  /** What was written is lost, and must not be read as ids. */
  fail(error: unknown, block: Block): void {
    if (this.array.length > 0) this.array.fill(0n, 0, this.filled)
    block.waste(this.filled)
    this.reject(error)
  }
}
