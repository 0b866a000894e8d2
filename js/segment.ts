// The handle that users hold on a generator.

import { isBigUint64Array, isSharedArrayBuffer } from 'node:util/types'
import type { Id, IdRange, SegmentGenerator, SegmentStats } from '../index.js'
import { type Block, CLOSED } from './block.js'
import { closed, invalid, MintIdError, rejected } from './errors.js'
import { argument, checkCount } from './options.js'
import { blocks } from './state.js'
import { ArrayWaiter, OneWaiter } from './waiters.js'

const N = argument('n')
const SIZE = argument('size')
const COUNT = argument('count')

/** A loop over ids lets others run once in so many. */
const LOOP_BREATH = 10_000

type Ids<Name extends string> = BigUint64Array<ArrayBuffer> & Iterable<Id<Name>>

export class Segment<Name extends string> implements SegmentGenerator<Name> {
  readonly name: Name
  #block: Block
  #isClosed = false
  readonly #onClose: () => void
  /** The calls that the addon has not answered. Made by the first: most handles have none. */
  #calls: Set<(error: unknown) => void> | undefined

  constructor(name: Name, block: Block, onClose: () => void) {
    this.name = name
    this.#block = block
    this.#onClose = onClose
    block.handles++
  }

  next(): Promise<Id<Name>> {
    const block = this.#block
    if (block.at < block.limit) return Promise.resolve(block.ids[block.at++] as Id<Name>)
    return this.#nextSlowly()
  }

  nextSync(): Id<Name> {
    const block = this.#block
    if (block.at < block.limit) return block.ids[block.at++] as Id<Name>
    return this.#nextSyncSlowly()
  }

  tryNext(): Id<Name> | undefined {
    const block = this.#block
    if (block.at < block.limit) return block.ids[block.at++] as Id<Name>
    this.#assertOpen()
    const id = block.tryTake() as Id<Name> | undefined
    if (id === undefined) block.native.wantRefill()
    return id
  }

  // Apart from the fast paths, so that those stay small enough to be inlined.
  #nextSlowly(): Promise<Id<Name>> {
    if (this.#isClosed) return Promise.reject(closed(this.name))
    const block = this.#block
    const id = block.tryTake() as Id<Name> | undefined
    if (id !== undefined) return Promise.resolve(id)
    return new Promise<bigint>((resolve, reject) => {
      block.wait(new OneWaiter(this, this.#deadline(), resolve, reject))
    }) as Promise<Id<Name>>
  }

  #nextSyncSlowly(): Id<Name> {
    const id = this.tryNext()
    if (id !== undefined) return id
    throw new MintIdError(
      'ERR_MINTID_SEGMENT_EMPTY',
      `no id of "${this.name}" is in memory: await ready() at start, and set keep to the largest ` +
        'number that is taken at once',
    )
  }

  async nextBatch(n: number): Promise<Ids<Name>> {
    return (await this.#filled(new BigUint64Array(checkCount(N, n)))) as Ids<Name>
  }

  async fill<A extends BigUint64Array<ArrayBuffer>>(array: A): Promise<A> {
    checkArray(array)
    return await this.#filled(array)
  }

  #filled<A extends BigUint64Array<ArrayBuffer>>(array: A): A | Promise<A> {
    this.#assertOpen()
    const block = this.#block
    const filled = block.tryCopyTo(array, 0)
    if (filled === array.length) return array
    return new Promise((resolve, reject) => {
      block.wait(new ArrayWaiter(this, this.#deadline(), array, filled, resolve, reject))
    })
  }

  async nextRange(size: number): Promise<IdRange<Name>> {
    checkCount(SIZE, size)
    const range = await this.#call((block) => block.native.nextRange(size))
    return { start: range.start as Id<Name>, end: range.end as Id<Name> }
  }

  async ready(options: { count?: number | undefined } = {}): Promise<void> {
    const count = readCount(options)
    await this.#call((block) => block.native.ready(count))
  }

  stats(): SegmentStats {
    this.#assertOpen()
    return this.#block.stats() as SegmentStats
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Id<Name>, void, undefined> {
    for (let count = 1; ; count++) {
      yield await this.next()
      if (count % LOOP_BREATH === 0) await new Promise(setImmediate)
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    const block = this.#block
    this.#block = CLOSED
    block.rejectAll(this, this.name)
    for (const reject of this.#calls ?? []) reject(closed(this.name))
    if (--block.handles === 0) {
      blocks.delete(block.native.id)
      block.close()
    }
    this.#onClose()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** A call that the addon answers by a promise, unless the handle is closed before. */
  async #call<T>(call: (block: Block) => Promise<T>): Promise<T> {
    this.#assertOpen()
    try {
      return await this.#untilClosed(call(this.#block))
    } catch (reason) {
      throw rejected(reason)
    }
  }

  #untilClosed<T>(answer: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#calls ??= new Set()
      const calls = this.#calls.add(reject)
      answer.then(resolve, reject).finally(() => calls.delete(reject))
    })
  }

  #assertOpen(): void {
    if (this.#isClosed) throw closed(this.name)
  }

  #deadline(): number {
    return performance.now() + this.#block.reserveTimeout
  }
}

function readCount(options: unknown): number {
  if (typeof options !== 'object' || options === null) {
    throw invalid('options', options, 'expected an object')
  }
  for (const [name, value] of Object.entries(options)) {
    if (name !== 'count') throw invalid(name, value, 'there is no such option: did you mean count?')
  }
  const { count = 1 } = options as { count?: unknown }
  return checkCount(COUNT, count)
}

/** What the addon may write into: an array that this thread alone can reach. */
function checkArray(array: unknown): asserts array is BigUint64Array<ArrayBuffer> {
  if (!isBigUint64Array(array)) throw invalid('array', array, 'expected a BigUint64Array')
  if (isSharedArrayBuffer(array.buffer)) {
    throw invalid('array', array, 'it is shared with other threads: expected one that is not')
  }
  if (array.length === 0) throw invalid('array', array, 'it is empty, or detached')
}
