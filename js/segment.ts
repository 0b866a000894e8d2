// The handle that users hold on a generator.

import { isBigUint64Array, isSharedArrayBuffer } from 'node:util/types'
import type {
  CallOptions,
  Id,
  IdRange,
  IdSchema,
  MintIdEvents,
  SegmentDescription,
  SegmentGenerator,
  SegmentStats,
} from '../index.js'
import type { NativeSegment } from './binding.js'
import { type Block, CLOSED } from './block.js'
import { closed, invalid, MintIdError, rejected, Site } from './errors.js'
import { Listeners, subscribeIfWatched } from './events.js'
import { checkId, idSchema } from './id.js'
import { argument, checkCallOptions, checkCount } from './options.js'
import { blocks } from './state.js'
import { ArrayWaiter, OneWaiter, type Patience } from './waiters.js'

const N = argument('n')
const SIZE = argument('size')

/** A loop over ids lets others run once in so many. */
const LOOP_BREATH = 10_000

type IdArray<Name extends string> = BigUint64Array<ArrayBuffer> & Iterable<Id<Name>>
type Method = (...args: never[]) => unknown

/** What a handle belongs to. */
export interface Owner {
  /** The store's name, for events of the handle's own. */
  readonly store: string
  readonly listeners: Listeners
  readonly handles: Set<Segment<string>>
}

export class Segment<Name extends string> implements SegmentGenerator<Name> {
  readonly name: Name
  #block: Block = CLOSED
  /** Finds the block; gone once it has. */
  #bind: (() => { block: Block; owner: Owner }) | undefined
  #owner: Owner | undefined
  #isClosed = false
  #listeners: Listeners | undefined
  /** The calls that the addon has not answered. Made by the first: most handles have none. */
  #calls: Set<(error: unknown) => void> | undefined

  /** `bind` finds the block at the first call, for a handle that is made before its store. */
  constructor(name: Name, bind?: () => { block: Block; owner: Owner }) {
    this.name = name
    this.#bind = bind
  }

  next(options?: CallOptions): Promise<Id<Name>> {
    const block = this.#block
    if (block.at < block.limit && options === undefined) {
      return Promise.resolve(block.ids[block.at++] as Id<Name>)
    }
    return this.#nextSlowly(options)
  }

  nextSync(): Id<Name> {
    const block = this.#block
    if (block.at < block.limit) return block.ids[block.at++] as Id<Name>
    return this.#nextSyncSlowly()
  }

  tryNext(): Id<Name> | undefined {
    const block = this.#block
    if (block.at < block.limit) return block.ids[block.at++] as Id<Name>
    return this.#tryNextSlowly()
  }

  // Apart from the fast paths, so that those stay small enough to be inlined.
  async #nextSlowly(options: CallOptions | undefined): Promise<Id<Name>> {
    const block = this.#open()
    const patience = this.#patience(block, options, this.next)
    const id = block.tryTake() as Id<Name> | undefined
    if (id !== undefined) return id
    return (await new Promise<bigint>((resolve, reject) => {
      block.wait(new OneWaiter(this, block, patience, resolve, reject))
    })) as Id<Name>
  }

  #tryNextSlowly(): Id<Name> | undefined {
    const block = this.#open()
    const id = block.tryTake() as Id<Name> | undefined
    if (id === undefined) block.native.wantRefill()
    return id
  }

  #nextSyncSlowly(): Id<Name> {
    const id = this.#tryNextSlowly()
    if (id !== undefined) return id
    throw new MintIdError(
      'ERR_MINTID_SEGMENT_EMPTY',
      `no id of "${this.name}" is in memory: await ready() at start, and set keep to the largest ` +
        'number that is taken at once',
    )
  }

  async nextText(options?: CallOptions): Promise<string> {
    return String(await this.next(options))
  }

  async nextBatch(n: number, options?: CallOptions): Promise<IdArray<Name>> {
    const array = new BigUint64Array(checkCount(N, n))
    return (await this.#filled(array, options, this.nextBatch)) as IdArray<Name>
  }

  async fill<A extends BigUint64Array<ArrayBuffer>>(array: A, options?: CallOptions): Promise<A> {
    checkArray(array)
    return await this.#filled(array, options, this.fill)
  }

  #filled<A extends BigUint64Array<ArrayBuffer>>(
    array: A,
    options: CallOptions | undefined,
    method: Method,
  ): A | Promise<A> {
    const block = this.#open()
    const patience = this.#patience(block, options, method)
    const filled = block.tryCopyTo(array, 0)
    if (filled === array.length) return array
    return new Promise((resolve, reject) => {
      block.wait(new ArrayWaiter(this, block, patience, { array, filled }, resolve, reject))
    })
  }

  async nextRange(size: number, options?: CallOptions): Promise<IdRange<Name>> {
    checkCount(SIZE, size)
    const range = await this.#call(options, (native, limit) => native.nextRange(size, limit))
    return { start: range.start as Id<Name>, end: range.end as Id<Name> }
  }

  async ready(options?: CallOptions & { count?: number | undefined }): Promise<void> {
    const { count = 1, ...others } = checkCallOptions(options, ['count'])
    await this.#call(others, (native, limit) => native.ready(count, limit))
  }

  stats(): SegmentStats {
    return this.#open().stats() as SegmentStats
  }

  describe(): SegmentDescription {
    const { native } = this.#open()
    const options = native.describe().map((field) => [field.name, field.text ?? field.number])
    return {
      name: this.name,
      key: native.key,
      store: this.#owner?.store ?? '',
      kind: 'segment',
      ...Object.fromEntries(options),
    }
  }

  id(value: bigint | string): Id<Name> {
    return checkId(this.name, value)
  }

  get schema(): IdSchema<Name> {
    return idSchema(this.name)
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Id<Name>, void, undefined> {
    for (let count = 1; ; count++) {
      yield await this.next()
      if (count % LOOP_BREATH === 0) await new Promise(setImmediate)
    }
  }

  on<E extends keyof MintIdEvents>(event: E, listener: (told: MintIdEvents[E]) => void): this {
    this.#listening().add(event, listener, false)
    return this
  }

  once<E extends keyof MintIdEvents>(event: E, listener: (told: MintIdEvents[E]) => void): this {
    this.#listening().add(event, listener, true)
    return this
  }

  off<E extends keyof MintIdEvents>(event: E, listener: (told: MintIdEvents[E]) => void): this {
    this.#listeners?.remove(event, listener)
    return this
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#bind = undefined
    const [block, owner] = [this.#block, this.#owner]
    this.#block = CLOSED
    // A constant that was never used holds nothing.
    if (owner === undefined) return
    block.rejectAll(this, this.name)
    for (const reject of this.#calls ?? []) reject(closed(this.name))
    const told = Object.freeze({ key: block.native.key, store: owner.store })
    if (--block.handles === 0) {
      blocks.delete(block.native.id)
      owner.listeners.exclude(block.native.id)
      block.close()
    }
    owner.handles.delete(this as unknown as Segment<string>)
    for (const listeners of [this.#listeners, owner.listeners]) listeners?.tell('close', told)
    this.#listeners?.detach()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** The block, which a constant finds at its first call. */
  #open(): Block {
    if (this.#isClosed) throw closed(this.name)
    if (this.#bind !== undefined) {
      const { block, owner } = this.#bind()
      this.bindTo(block, owner)
    }
    return this.#block
  }

  /** From now on this is a handle on `block`. */
  protected bindTo(block: Block, owner: Owner): void {
    this.#bind = undefined
    this.#block = block
    this.#owner = owner
    block.handles++
    owner.handles.add(this as unknown as Segment<string>)
    owner.listeners.include(block.native.id)
    this.#listeners?.include(block.native.id)
    subscribeIfWatched()
  }

  /** How the generator is; for the health of its store. */
  health(): NonNullable<ReturnType<Block['health']>> {
    return this.#open().health()
  }

  #listening(): Listeners {
    this.#listeners ??= new Listeners(() => this.numbers())
    return this.#listeners
  }

  /** The number of the generator, once it is known. */
  numbers(): number[] {
    return this.#owner === undefined ? [] : [this.#block.native.id]
  }

  /** How long a call of `method` may wait. */
  #patience(block: Block, options: CallOptions | undefined, method: Method): Patience {
    const { signal, timeoutMs = block.reserveTimeout } = checkCallOptions(options)
    signal?.throwIfAborted()
    const limit = Math.min(timeoutMs, block.reserveTimeout)
    return { deadline: block.time() + limit, limit, signal, site: new Site(method) }
  }

  /** A call that the addon answers by a promise, unless the handle or the signal ends it before. */
  async #call<T>(
    options: CallOptions | undefined,
    call: (native: NativeSegment, limit: number | undefined) => Promise<T>,
  ): Promise<T> {
    const { native } = this.#open()
    const { signal, timeoutMs } = checkCallOptions(options)
    signal?.throwIfAborted()
    this.#calls ??= new Set()
    const calls = this.#calls
    let end = (): void => {}
    try {
      return await new Promise<T>((resolve, reject) => {
        const abort = () => reject(signal?.reason)
        calls.add(reject)
        signal?.addEventListener('abort', abort)
        end = () => {
          calls.delete(reject)
          signal?.removeEventListener('abort', abort)
        }
        call(native, timeoutMs).then(resolve, reject)
      })
    } catch (reason) {
      throw rejected(reason)
    } finally {
      end()
    }
  }
}

/** What the addon may write into: an array that this thread alone can reach. */
function checkArray(array: unknown): asserts array is BigUint64Array<ArrayBuffer> {
  if (!isBigUint64Array(array)) throw invalid('array', array, 'expected a BigUint64Array')
  if (isSharedArrayBuffer(array.buffer)) {
    throw invalid('array', array, 'it is shared with other threads: expected one that is not')
  }
  if (array.length === 0) throw invalid('array', array, 'it is empty, or detached')
}
