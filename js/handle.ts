// What the handles on every kind of generator have in common: calls that may wait, listeners, the
// end.

import { isBigUint64Array, isSharedArrayBuffer } from 'node:util/types'
import type { CallOptions, GeneratorHealth, Id, IdSchema, MintIdEvents } from '../index.js'
import { closed, invalid, rejected, Site } from './errors.js'
import { Listeners, subscribeIfWatched } from './events.js'
import { checkId, idSchema } from './id.js'
import { checkCallOptions, checkCount } from './options.js'
import type { Queue } from './queue.js'
import { ArrayWaiter, OneWaiter, type Patience } from './waiters.js'

/** A loop over ids lets others run once in so many. */
const LOOP_BREATH = 10_000
/** Taken before a test puts timers of its own in its place. */
const nextTurn = setImmediate

export type IdArray<Name extends string> = BigUint64Array<ArrayBuffer> & Iterable<Id<Name>>
type Method = (...args: never[]) => unknown
type Told<E extends keyof MintIdEvents> = (told: MintIdEvents[E]) => void

/** How a generator is, and whether that is well. */
export interface State {
  readonly isFailing: boolean
  readonly told: GeneratorHealth
}

/** A handle as its store sees it. */
export interface Member {
  readonly name: string
  /** The addon's number of the generator, once it is known. */
  numbers(): number[]
  state(): State
  close(): Promise<void>
}

/** What a handle belongs to. */
export interface Owner {
  /** The store's name, for events of the handle's own. */
  readonly store: string
  readonly listeners: Listeners
  readonly handles: Set<Member>
}

/** A generator that a handle has let go of. */
export interface Left {
  readonly queue: Queue
  readonly key: string
  readonly number: number
  /** Gives it up; `true` if nobody else in this realm has it. */
  end(): boolean
}

export abstract class Handle<Name extends string> {
  readonly name: Name
  #owner: Owner | undefined
  #isClosed = false
  #listeners: Listeners | undefined
  /** The calls that the addon has not answered. Made by the first: most handles have none. */
  #calls: Set<(error: unknown) => void> | undefined

  constructor(name: Name) {
    this.name = name
  }

  abstract next(options?: CallOptions): Promise<Id<Name>>

  abstract numbers(): number[]

  /** Where ids come from. Throws once the handle is closed. */
  protected abstract open(): Queue

  /** How long a caller waits who says nothing else, in ms. */
  protected abstract reserveTimeout(): number

  /** From now on nothing comes from the generator. Not called for one that was never found. */
  protected abstract leave(): Left

  async nextText(options?: CallOptions): Promise<string> {
    return String(await this.next(options))
  }

  async nextBatch(n: number, options?: CallOptions): Promise<IdArray<Name>> {
    const array = new BigUint64Array(checkCount('n', n))
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
    const queue = this.open()
    const patience = this.#patience(queue, options, method)
    const filled = queue.tryCopyTo(array, 0)
    if (filled === array.length) return array
    return new Promise((resolve, reject) => {
      queue.wait(new ArrayWaiter(this, queue, patience, { array, filled }, resolve, reject))
    })
  }

  /** One id for a caller who may wait for it. */
  protected async one(options: CallOptions | undefined): Promise<Id<Name>> {
    const queue = this.open()
    const patience = this.#patience(queue, options, this.next)
    const id = queue.tryTake() as Id<Name> | undefined
    if (id !== undefined) return id
    return (await new Promise<bigint>((resolve, reject) => {
      queue.wait(new OneWaiter(this, queue, patience, resolve, reject))
    })) as Id<Name>
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
      if (count % LOOP_BREATH === 0) await new Promise<void>((resolve) => nextTurn(resolve))
    }
  }

  on<E extends keyof MintIdEvents>(event: E, listener: Told<E>): this {
    this.#listening().add(event, listener, false)
    return this
  }

  once<E extends keyof MintIdEvents>(event: E, listener: Told<E>): this {
    this.#listening().add(event, listener, true)
    return this
  }

  off<E extends keyof MintIdEvents>(event: E, listener: Told<E>): this {
    this.#listeners?.remove(event, listener)
    return this
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    const owner = this.#owner
    // A constant that was never used holds nothing.
    if (owner === undefined) return
    const { queue, key, number, end } = this.leave()
    queue.rejectAll(this)
    for (const reject of this.#calls ?? []) reject(closed(this.name))
    const isLast = end()
    owner.handles.delete(this as unknown as Member)
    if (isLast) owner.listeners.exclude(number)
    const told = Object.freeze({ key, store: owner.store })
    for (const listeners of [this.#listeners, owner.listeners]) listeners?.tell('close', told)
    this.#listeners?.detach()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  protected get store(): string {
    return this.#owner?.store ?? ''
  }

  protected assertOpen(): void {
    if (this.#isClosed) throw closed(this.name)
  }

  /** From now on this is one of the handles of `owner`, on the generator with this number. */
  protected join(owner: Owner, number: number): void {
    this.#owner = owner
    owner.handles.add(this as unknown as Member)
    owner.listeners.include(number)
    this.#listeners?.include(number)
    subscribeIfWatched()
  }

  #listening(): Listeners {
    this.#listeners ??= new Listeners(() => (this.#owner === undefined ? [] : this.numbers()))
    return this.#listeners
  }

  /** How long a call of `method` may wait. */
  #patience(queue: Queue, options: CallOptions | undefined, method: Method): Patience {
    const most = this.reserveTimeout()
    const { signal, timeoutMs = most } = checkCallOptions(options)
    signal?.throwIfAborted()
    const limit = Math.min(timeoutMs, most)
    return { deadline: queue.time() + limit, limit, signal, site: new Site(method) }
  }

  /** A call that the addon answers by a promise, unless the handle or the signal ends it before. */
  protected async answered<T>(
    options: CallOptions | undefined,
    call: (limit: number | undefined) => Promise<T>,
  ): Promise<T> {
    this.assertOpen()
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
        call(timeoutMs).then(resolve, reject)
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
