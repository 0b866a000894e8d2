// Where generators come from: a store and a namespace.

import type {
  CounterState,
  Diagnosis,
  Finding,
  Health,
  IdsOptions,
  Logger,
  MachineState,
  MintIdEvents,
  Ids as PublicIds,
  RangeStore,
  SegmentGenerator,
  SegmentOptions,
  SnowflakeGenerator,
  SnowflakeOptions,
} from '../index.js'
import { NativeIds, type NativeIdsHandle, type NativeSegment } from './binding.js'
import { Block } from './block.js'
import { answered, called, closed, invalid, thrown } from './errors.js'
import { Listeners, subscribeIfWatched } from './events.js'
import type { Member, Owner } from './handle.js'
import { checkId } from './id.js'
import { checkOptions } from './options.js'
import { idsOfStore } from './own-store.js'
import { Segment } from './segment.js'
import { Snowflake } from './snowflake.js'
import type { HandClock } from './snowflake-block.js'
import { blocks } from './state.js'

export class Ids implements Pick<PublicIds, keyof PublicIds> {
  readonly store: string
  readonly #native: NativeIdsHandle
  readonly #owner: Owner
  readonly #clock: HandClock | undefined
  #closing: Promise<void> | undefined

  /** `clock` is what the engine goes by, if that is moved by hand. */
  constructor(native: NativeIdsHandle, logger?: Logger, clock?: HandClock) {
    this.#native = native
    this.#clock = clock
    this.store = native.store
    const handles = new Set<Member>()
    const known = () => [...handles].flatMap((handle) => handle.numbers())
    this.#owner = { store: native.store, listeners: new Listeners(known, logger), handles }
    subscribeIfWatched()
  }

  segment<const Name extends string>(name: Name, options?: SegmentOptions): SegmentGenerator<Name> {
    this.#assertOpen()
    if (typeof name !== 'string') throw invalid('name', name, 'expected text')
    const checked = checkOptions('segment', options)
    let native: NativeSegment
    // No closure here: an application may make thousands of generators at its start.
    try {
      native = this.#native.segment(name, checked)
    } catch (error) {
      throw thrown(error)
    }
    return new BoundSegment(name, sharedBlock(native), this.#owner)
  }

  /** The block of a constant, in the way of `segment`. */
  kvid(name: string, options: Record<string, unknown>): { block: Block; owner: Owner } {
    this.#assertOpen()
    const native = called(() => this.#native.kvid(name, options))
    return { block: sharedBlock(native), owner: this.#owner }
  }

  snowflake<const Name extends string>(
    name: Name,
    options?: SnowflakeOptions,
  ): SnowflakeGenerator<Name> {
    this.#assertOpen()
    if (typeof name !== 'string') throw invalid('name', name, 'expected text')
    const checked = checkOptions('snowflake', options)
    const native = called(() => this.#native.snowflake(name, checked))
    return new Snowflake(name, native, this.#owner, this.#clock)
  }

  async ready(): Promise<void> {
    this.#assertOpen()
    await answered(this.#native.ready())
  }

  health(): Health {
    this.#assertOpen()
    const handles = [...this.#owner.handles]
    const states = [...new Map(handles.map((handle) => [handle.name, handle.state()])).values()]
    return {
      ok: states.every(({ isFailing }) => !isFailing),
      store: this.store,
      generators: states.map(({ told }) => told),
    }
  }

  async diagnose(): Promise<Diagnosis> {
    this.#assertOpen()
    const { facts, findings } = await answered(this.#native.diagnose())
    return {
      facts: Object.fromEntries(facts.map(({ name, value }) => [name, value])),
      findings: findings.map(({ level, what, advice }) => ({
        level: level as Finding['level'],
        what,
        ...(advice === '' ? {} : { advice }),
      })),
    }
  }

  async list(prefix = ''): Promise<CounterState[]> {
    this.#assertOpen()
    if (typeof prefix !== 'string') throw invalid('prefix', prefix, 'expected text')
    return await answered(this.#native.list(prefix))
  }

  async floor(name: string, value: bigint | string): Promise<boolean> {
    this.#assertOpen()
    if (typeof name !== 'string') throw invalid('name', name, 'expected text')
    return await answered(this.#native.floor(name, checkId(name, value)))
  }

  async machines(): Promise<MachineState[]> {
    this.#assertOpen()
    return await answered(this.#native.machines())
  }

  async freeMachine(machine: number): Promise<boolean> {
    this.#assertOpen()
    checkOptions('snowflake', { machine })
    if (machine === undefined) throw invalid('machine', machine, 'expected a machine number')
    return await answered(this.#native.freeMachine(machine))
  }

  on<E extends keyof MintIdEvents>(event: E, listener: (told: MintIdEvents[E]) => void): this {
    this.#owner.listeners.add(event, listener, false)
    return this
  }

  once<E extends keyof MintIdEvents>(event: E, listener: (told: MintIdEvents[E]) => void): this {
    this.#owner.listeners.add(event, listener, true)
    return this
  }

  off<E extends keyof MintIdEvents>(event: E, listener: (told: MintIdEvents[E]) => void): this {
    this.#owner.listeners.remove(event, listener)
    return this
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#owner.handles].map((handle) => handle.close()))
    this.#owner.listeners.detach()
    await answered(this.#native.close())
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #assertOpen(): void {
    if (this.#closing !== undefined) throw closed(this.store)
  }
}

/** A handle that has its block from the start. */
class BoundSegment<Name extends string> extends Segment<Name> {
  constructor(name: Name, block: Block, owner: Owner) {
    super(name)
    this.bindTo(block, owner)
  }
}

/** The realm's block of a generator: the one there is, or a new one. */
function sharedBlock(native: NativeSegment): Block {
  const shared = blocks.get(native.id)
  if (shared !== undefined) {
    native.close()
    return shared
  }
  const block = new Block(native)
  blocks.set(native.id, block)
  return block
}

export function createIds(store?: string | RangeStore, options?: IdsOptions): Ids {
  const { logger, ...checked } = checkOptions('ids', options)
  const native =
    typeof store === 'object' && store !== null && !Array.isArray(store)
      ? called(() => idsOfStore(store, checked))
      : called(() => new NativeIds(storeUrl(store), checked))
  return new Ids(native, logger as Logger | undefined)
}

export async function connect(store?: string | RangeStore, options?: IdsOptions): Promise<Ids> {
  const ids = createIds(store, options)
  try {
    await ids.ready()
  } catch (error) {
    // Not waited for, and its failure is nobody's: the caller is told in time why it cannot connect.
    ids.close().catch(() => {})
    throw error
  }
  return ids
}

/** A store is never guessed: a counter that is silently local to one host is a duplicate. */
export function storeUrl(url: unknown): string {
  const given = url === undefined ? process.env.MINTID_URL : url
  if (given === undefined) {
    throw invalid('url', undefined, 'expected a URL such as sqlite:ids.db, or MINTID_URL to be set')
  }
  if (typeof given !== 'string')
    throw invalid('url', given, 'expected text, or a store of your own')
  return given
}
