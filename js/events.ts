// Events of the background, from the addon to listeners, channels and loggers.
//
// One subscription per realm, made when somebody first wants to know. Nothing that an id depends
// on goes through here, and a listener that throws harms nobody.

import { channel } from 'node:diagnostics_channel'
import { debuglog } from 'node:util'
import type { Logger, MintIdEvents } from '../index.js'
import { NativeEvents } from './binding.js'
import { realm } from './state.js'

type Name = keyof MintIdEvents
type Told = MintIdEvents[Name]
type Listener = (told: never) => void
type NativeEvent = Parameters<ConstructorParameters<typeof NativeEvents>[0]>[0]

const debug = debuglog('mintid')

/** At which level each event is logged. */
const LEVELS: Record<Name, keyof Logger> = {
  refill: 'debug',
  refillFailed: 'warn',
  jumped: 'warn',
  storeWentBack: 'error',
  nearEnd: 'warn',
  created: 'info',
  leaseAcquired: 'info',
  leaseLost: 'error',
  clockBackwards: 'error',
  close: 'debug',
}
const NAMES = Object.keys(LEVELS) as Name[]
const CHANNELS = new Map(NAMES.map((name) => [name, channel(`mintid:${name}`)]))

/** What wants to know of some generators. */
interface Target {
  readonly generators: ReadonlySet<number>
  tell(name: Name, told: Told): void
}

const targets = new Set<Target>()

/** The listeners of one object. */
export class Listeners implements Target {
  /** The generators it is told of. Kept once there is a listener: most objects never have one. */
  readonly generators = new Set<number>()
  readonly #known: () => Iterable<number>
  readonly #listeners = new Map<string, { listener: Listener; isOnce: boolean }[]>()
  readonly #logger: Logger | undefined

  /** `known` gives the numbers of the generators that the object has. */
  constructor(known: () => Iterable<number>, logger?: Logger) {
    this.#known = known
    this.#logger = logger
    if (logger !== undefined) this.#attach()
  }

  add(name: string, listener: Listener, isOnce: boolean): void {
    if (!CHANNELS.has(name as Name)) {
      throw new TypeError(`there is no event ${String(name)}: expected one of ${NAMES.join(', ')}`)
    }
    if (typeof listener !== 'function') throw new TypeError('a listener is a function')
    this.#listeners.set(name, [...(this.#listeners.get(name) ?? []), { listener, isOnce }])
    this.#attach()
  }

  remove(name: string, listener: Listener): void {
    const left = (this.#listeners.get(name) ?? []).filter((entry) => entry.listener !== listener)
    this.#listeners.set(name, left)
  }

  tell(name: Name, told: Told): void {
    for (const { listener, isOnce } of this.#listeners.get(name) ?? []) {
      if (isOnce) this.remove(name, listener)
      queueMicrotask(() => guarded(() => listener(told as never)))
    }
    const logger = this.#logger
    if (logger !== undefined) guarded(() => logger[LEVELS[name]](told, `mintid ${name}`))
  }

  /** Nobody is told any more, once those have been whose turn it is. */
  detach(): void {
    targets.delete(this)
  }

  /** The object has one generator more. */
  include(generator: number): void {
    if (targets.has(this)) this.generators.add(generator)
  }

  /** The object has given a generator up. */
  exclude(generator: number): void {
    this.generators.delete(generator)
  }

  #attach(): void {
    if (targets.has(this)) return
    targets.add(this)
    for (const generator of this.#known()) this.generators.add(generator)
    subscribe()
  }
}

/** Whoever listens fails on its own account. */
function guarded(work: () => void): void {
  try {
    work()
  } catch (error) {
    debug('a listener failed: %o', error)
  }
}

/** Begins to listen to the addon, once per realm. */
function subscribe(): void {
  realm.events ??= new NativeEvents(dispatch)
}

/**
 * As `subscribe`, if a channel has a subscriber or `NODE_DEBUG` asks for us. Called whenever the
 * addon is, since nobody tells of a new subscriber.
 */
export function subscribeIfWatched(): void {
  if (realm.events !== undefined) return
  if (debug.enabled || NAMES.some((name) => CHANNELS.get(name)?.hasSubscribers)) subscribe()
}

function dispatch(event: NativeEvent): void {
  const name = event.name as Name
  if (event.dropped > 0) debug('%d events were dropped', event.dropped)
  // Frozen: all listeners are told by the same object.
  const told = Object.freeze(
    Object.fromEntries([
      ['key', event.key],
      ['store', event.store],
      ...event.fields.map((field) => [field.name, field.text ?? field.number]),
    ]),
  ) as Told
  debug('%s %o', name, told)
  const watched = CHANNELS.get(name)
  if (watched?.hasSubscribers) guarded(() => watched.publish(told))
  // Handles tell of their own end themselves: it is theirs, not the generator's.
  if (name === 'close') return
  for (const target of targets) {
    if (target.generators.has(event.generator)) target.tell(name, told)
  }
}
