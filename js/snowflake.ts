// The handle that users hold on Snowflake ids.

import type {
  CallOptions,
  Id,
  SnowflakeDescription,
  SnowflakeGenerator,
  SnowflakeParts,
  SnowflakeStats,
} from '../index.js'
import type { NativeSnowflake } from './binding.js'
import { wallClock } from './clock.js'
import { called, closed, invalid } from './errors.js'
import { Handle, type Left, type Owner, type State } from './handle.js'
import { checkId } from './id.js'
import { CLOSED, type HandClock, SnowflakeBlock } from './snowflake-block.js'
import { snowflakes } from './state.js'

type OptionsInForce = Pick<
  SnowflakeDescription,
  'layout' | 'lease' | 'firstStart' | 'clockBackwardsMax' | 'reserveTimeout'
>

/** What the engine shows as text and users give as something else. */
const FROM_TEXT = ['firstStart', 'machineRange']

export class Snowflake<Name extends string>
  extends Handle<Name>
  implements SnowflakeGenerator<Name>
{
  #block: SnowflakeBlock
  readonly #native: NativeSnowflake

  /** `clock` is what the engine goes by, if that is moved by hand. */
  constructor(name: Name, native: NativeSnowflake, owner: Owner, clock?: HandClock) {
    super(name)
    this.#native = native
    this.#block = sharedBlock(native, clock)
    this.join(owner, native.id)
  }

  next(options?: CallOptions): Promise<Id<Name>> {
    const block = this.#block
    if (wallClock() === block.stamp && block.at < block.end && options === undefined) {
      return Promise.resolve(block.ids[block.at++] as Id<Name>)
    }
    return this.#nextSlowly(options)
  }

  nextSync(): Id<Name> {
    const block = this.#block
    if (wallClock() === block.stamp && block.at < block.end) {
      return block.ids[block.at++] as Id<Name>
    }
    return this.#nextSyncSlowly()
  }

  tryNext(): Id<Name> | undefined {
    const block = this.#block
    if (wallClock() === block.stamp && block.at < block.end) {
      return block.ids[block.at++] as Id<Name>
    }
    return this.open().tryTake() as Id<Name> | undefined
  }

  // Apart from the fast paths, so that those stay small enough to be inlined.
  #nextSlowly(options: CallOptions | undefined): Promise<Id<Name>> {
    const id = options === undefined ? this.#block.tryTake() : undefined
    return id === undefined ? this.one(options) : Promise.resolve(id as Id<Name>)
  }

  #nextSyncSlowly(): Id<Name> {
    const block = this.open()
    const id = block.takeSoon() as Id<Name> | undefined
    if (id === undefined) throw block.refusal(this)
    return id
  }

  async ready(options?: CallOptions): Promise<void> {
    await this.answered(options, (limit) => this.#native.ready(limit))
  }

  get machine(): number | undefined {
    return this.#native.machine ?? undefined
  }

  parse(id: bigint | string): SnowflakeParts {
    this.assertOpen()
    const checked = checkId(this.name, id)
    const { timestamp, machine, sequence } = called(() => this.#native.parse(checked))
    return { timestamp: new Date(timestamp), machine, sequence }
  }

  minIdAt(date: Date | number): bigint {
    this.assertOpen()
    const ms = unixMs(date)
    return called(() => this.#native.minIdAt(ms))
  }

  maxIdAt(date: Date | number): bigint {
    this.assertOpen()
    const ms = unixMs(date)
    return called(() => this.#native.maxIdAt(ms))
  }

  stats(): SnowflakeStats {
    const stats = this.open().stats()
    if (stats === null) throw closed(this.name)
    return stats
  }

  describe(): SnowflakeDescription {
    this.assertOpen()
    const [endsAt, passesSafeAt] = this.#native.ends()
    return {
      name: this.name,
      key: this.#native.key,
      store: this.store,
      kind: 'snowflake',
      ...optionsOf(this.#native),
      endsAt: new Date(endsAt ?? Number.NaN),
      ...(typeof passesSafeAt === 'number' && { passesSafeAt: new Date(passesSafeAt) }),
    }
  }

  state(): State {
    const { name } = this
    const lease = this.#native.health()
    if (lease !== null) {
      const { machine } = lease
      const remainingMs = Math.floor(lease.remainingMs)
      return { isFailing: false, told: { name, remaining: 0, lease: { machine, remainingMs } } }
    }
    // One that nobody has asked for yet is well.
    const stats = this.#native.stats()
    const isFailing = stats !== null && stats.losses + stats.failures > 0
    return { isFailing, told: { name, remaining: 0 } }
  }

  numbers(): number[] {
    return [this.#native.id]
  }

  protected open(): SnowflakeBlock {
    this.assertOpen()
    return this.#block
  }

  protected reserveTimeout(): number {
    return this.#native.reserveTimeout
  }

  protected leave(): Left {
    const [block, native] = [this.#block, this.#native]
    this.#block = CLOSED
    const { id, key } = native
    return { queue: block, key, number: id, end: () => letGo(block, native) }
  }
}

/** The realm's block of a lease: the one there is, or a new one. */
function sharedBlock(native: NativeSnowflake, clock: HandClock | undefined): SnowflakeBlock {
  const block = snowflakes.get(native.lease) ?? newBlock(native, clock)
  block.admit(native)
  return block
}

function newBlock(native: NativeSnowflake, clock: HandClock | undefined): SnowflakeBlock {
  const unit = native.describe().find(({ name }) => name === 'layout.unit')?.text
  const block = new SnowflakeBlock(native, unit === 's' ? 1000 : 1, clock)
  snowflakes.set(native.lease, block)
  return block
}

/** One handle less; `true` if it was the last one of the realm. */
function letGo(block: SnowflakeBlock, native: NativeSnowflake): boolean {
  const { lease } = native
  if (!block.dismiss(native)) return false
  snowflakes.delete(lease)
  return true
}

/** The options in force, as users give them: those of the lease and the layout in objects. */
function optionsOf(native: NativeSnowflake): OptionsInForce {
  const options: Record<string, unknown> = {}
  for (const { name, text, number } of native.describe()) {
    const value = FROM_TEXT.includes(name) ? JSON.parse(text ?? 'null') : (text ?? number)
    const [part, own] = name.split('.') as [string, string?]
    if (own === undefined) options[part] = value
    else options[part] = { ...(options[part] as object | undefined), [own]: value }
  }
  return options as unknown as OptionsInForce
}

function unixMs(date: Date | number): number {
  const ms = date instanceof Date ? date.getTime() : date
  if (Number.isSafeInteger(ms)) return ms
  throw invalid('date', date, 'expected a Date that is one, or whole Unix milliseconds')
}
