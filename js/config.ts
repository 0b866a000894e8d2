// A configuration: stores and generators as one object, checked as a whole, and typed by its names.

import type {
  GeneratorConfigs,
  GeneratorOf,
  Health,
  IdsOptions,
  MintIdConfig,
  MintIdEvents,
  LoadedIds as PublicLoadedIds,
  RangeStore,
  SegmentGenerator,
  SnowflakeGenerator,
} from '../index.js'
import { invalid, MintIdError } from './errors.js'
import { createIds, type Ids } from './ids.js'
import { nearest } from './nearest.js'
import { checkOptions } from './options.js'

type Generator = SegmentGenerator | SnowflakeGenerator
type Entries = Record<string, unknown>
type Strategy = 'segment' | 'snowflake'
/** Stores by their names; none in the place of those that could not be opened. */
type Opened = ReadonlyMap<string, Ids | undefined>

/** How a generator of each strategy is made. */
const STRATEGIES: Record<Strategy, (ids: Ids, name: string, options: object) => Generator> = {
  segment: (ids, name, options) => ids.segment(name, options),
  snowflake: (ids, name, options) => ids.snowflake(name, options),
}
const OWN_KEYS = ['store', 'stores', 'generators']
/** The store of generators that name none, which no store of `stores` can be called. */
const DEFAULT = ''

export class LoadedIds<G extends GeneratorConfigs>
  implements Pick<PublicLoadedIds<G>, keyof PublicLoadedIds<G>>
{
  readonly #stores: ReadonlyMap<string, Ids>
  readonly #generators: ReadonlyMap<string, Generator>

  constructor(stores: ReadonlyMap<string, Ids>, generators: ReadonlyMap<string, Generator>) {
    this.#stores = stores
    this.#generators = generators
  }

  get<Name extends keyof G & string>(name: Name): GeneratorOf<G, Name> {
    const generator = this.#generators.get(name)
    if (generator !== undefined) return generator as GeneratorOf<G, Name>
    const names = [...this.#generators.keys()]
    throw invalid('name', name, `there is no such generator: ${alternatives(String(name), names)}`)
  }

  async ready(): Promise<void> {
    await Promise.all(this.#all().map((ids) => ids.ready()))
  }

  health(): Health {
    const each = this.#all().map((ids) => ids.health())
    return {
      ok: each.every(({ ok }) => ok),
      store: each.map(({ store }) => store).join(', '),
      generators: each.flatMap(({ generators }) => generators),
    }
  }

  on<E extends keyof MintIdEvents>(event: E, listener: (told: MintIdEvents[E]) => void): this {
    for (const ids of this.#all()) ids.on(event, listener)
    return this
  }

  once<E extends keyof MintIdEvents>(event: E, listener: (told: MintIdEvents[E]) => void): this {
    // Once for all stores, and not once for each.
    const first = (told: MintIdEvents[E]) => {
      for (const ids of this.#all()) ids.off(event, first)
      listener(told)
    }
    return this.on(event, first)
  }

  off<E extends keyof MintIdEvents>(event: E, listener: (told: MintIdEvents[E]) => void): this {
    for (const ids of this.#all()) ids.off(event, listener)
    return this
  }

  async close(): Promise<void> {
    await Promise.all(this.#all().map((ids) => ids.close()))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #all(): Ids[] {
    return [...this.#stores.values()]
  }
}

/** Gives back what it is given: it is there for its types. */
export function defineConfig<G extends GeneratorConfigs>(config: MintIdConfig<G>): MintIdConfig<G> {
  return config
}

/** Makes every generator, or fails with all that is wrong at once and leaves nothing open. */
export function load<G extends GeneratorConfigs>(config: MintIdConfig<G>): LoadedIds<G> {
  const problems = new Problems()
  const { store, stores = {}, generators, ...given } = problems.object('config', config)
  const options = problems.valid(given)
  const named = Object.entries(problems.object('stores', stores))
  const wanted = Object.entries(problems.object('generators', generators))
  const isDefaultUsed = store !== undefined || wanted.some(([, each]) => !namesStore(each))
  const places = isDefaultUsed ? [[DEFAULT, store] as const, ...named] : named
  const opened = new Map<string, Ids | undefined>()
  for (const [name, place] of places) opened.set(name, open(problems, name, place, options))
  const made = new Map<string, Generator | undefined>()
  for (const [name, each] of wanted) made.set(name, make(problems, name, each, opened))
  problems.end(opened.values())
  return new LoadedIds(opened as Map<string, Ids>, made as Map<string, Generator>)
}

const namesStore = (generator: unknown) => (generator as Entries | null)?.store !== undefined

function open(problems: Problems, name: string, place: unknown, options: Entries): Ids | undefined {
  const path = name === DEFAULT ? 'store' : `stores.${name}`
  const { url, ...own } = isStoreConfig(place) ? place : { url: place }
  return problems.attempt(`${path}: `, () =>
    createIds(url as string | RangeStore, { ...options, ...own } as IdsOptions),
  )
}

/** A URL with options of its own, and not a store that somebody wrote. */
function isStoreConfig(place: unknown): place is Entries {
  return typeof place === 'object' && place !== null && 'url' in place && !('reserve' in place)
}

function make(
  problems: Problems,
  name: string,
  given: unknown,
  stores: Opened,
): Generator | undefined {
  const path = `generators.${name}`
  const { strategy = 'segment', store = DEFAULT, ...options } = problems.object(path, given)
  const found = problems.attempt(`${path}.`, () => knownStrategy(strategy))
  const ids = problems.attempt(`${path}.`, () => knownStore(store, stores))
  if (found === undefined) return undefined
  const checked = problems.attempt(`${path}.`, () => checkOptions(found, options))
  if (ids === undefined || checked === undefined) return undefined
  return problems.attempt(`${path}.`, () => STRATEGIES[found](ids, name, options))
}

function knownStrategy(strategy: unknown): Strategy {
  if (typeof strategy === 'string' && Object.hasOwn(STRATEGIES, strategy)) {
    return strategy as Strategy
  }
  const words = Object.keys(STRATEGIES).join(', ')
  throw invalid('strategy', strategy, `expected one of ${words}`)
}

/** Undefined for a store that could not be opened, which has been told. */
function knownStore(name: unknown, stores: Opened): Ids | undefined {
  if (typeof name === 'string' && stores.has(name)) return stores.get(name)
  const names = [...stores.keys()].filter((each) => each !== DEFAULT)
  const known = names.length > 0 ? alternatives(String(name), names) : 'add it to "stores"'
  throw invalid('store', name, `there is no such store: ${known}`)
}

/** What is wrong with a configuration, by the paths to it. */
class Problems {
  readonly #found: string[] = []

  /** What `work` gives, unless it finds something that cannot be used. */
  attempt<T>(path: string, work: () => T): T | undefined {
    try {
      return work()
    } catch (error) {
      if (!(error instanceof MintIdError)) throw error
      this.#found.push(`${path}${error.message}`)
      return undefined
    }
  }

  /** The entries of an object; none of anything else. */
  object(path: string, value: unknown): Entries {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Entries
    this.#found.push(invalid(path, value, 'expected an object').message)
    return {}
  }

  /** Those of the options of stores that can be used. */
  valid(options: Entries): Entries {
    const isValid = ([key, value]: [string, unknown]) =>
      this.attempt('', () => {
        const meant = nearest(key, OWN_KEYS)
        if (meant !== undefined) throw invalid(key, value, `did you mean ${meant}?`)
        checkOptions('ids', { [key]: value })
        return true
      }) ?? false
    return Object.fromEntries(Object.entries(options).filter(isValid))
  }

  /** Fails if there is any; the stores have not been reached yet, so nobody waits for their end. */
  end(stores: Iterable<Ids | undefined>): void {
    if (this.#found.length === 0) return
    for (const ids of stores) ids?.close().catch(() => {})
    const lines = this.#found.map((problem) => `\n  ${problem}`).join('')
    throw new MintIdError('ERR_MINTID_CONFIG_INVALID', `the configuration cannot be used:${lines}`)
  }
}

function alternatives(name: string, names: readonly string[]): string {
  const meant = nearest(name, names)
  return meant === undefined ? `expected one of ${names.join(', ')}` : `did you mean ${meant}?`
}
