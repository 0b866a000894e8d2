// The handle that users hold on a segment generator.

import type {
  CallOptions,
  Id,
  IdRange,
  SegmentDescription,
  SegmentGenerator,
  SegmentStats,
} from '../index.js'
import { type Block, CLOSED } from './block.js'
import { MintIdError } from './errors.js'
import { Handle, type Left, type Owner, type State } from './handle.js'
import { checkCallOptions, checkCount } from './options.js'
import { blocks } from './state.js'

export class Segment<Name extends string> extends Handle<Name> implements SegmentGenerator<Name> {
  #block: Block = CLOSED
  /** Finds the block; gone once it has. */
  #bind: (() => { block: Block; owner: Owner }) | undefined

  /** `bind` finds the block at the first call, for a handle that is made before its store. */
  constructor(name: Name, bind?: () => { block: Block; owner: Owner }) {
    super(name)
    this.#bind = bind
  }

  next(options?: CallOptions): Promise<Id<Name>> {
    const block = this.#block
    if (block.at < block.limit && options === undefined) {
      return Promise.resolve(block.ids[block.at++] as Id<Name>)
    }
    return this.one(options)
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
  #tryNextSlowly(): Id<Name> | undefined {
    const block = this.open()
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

  async nextRange(size: number, options?: CallOptions): Promise<IdRange<Name>> {
    checkCount('size', size)
    const { native } = this.open()
    const range = await this.answered(options, (limit) => native.nextRange(size, limit))
    return { start: range.start as Id<Name>, end: range.end as Id<Name> }
  }

  async ready(options?: CallOptions & { count?: number | undefined }): Promise<void> {
    const { count = 1, ...others } = checkCallOptions(options, ['count'])
    const { native } = this.open()
    await this.answered(others, (limit) => native.ready(count, limit))
  }

  stats(): SegmentStats {
    return this.open().stats() as SegmentStats
  }

  describe(): SegmentDescription {
    const { native } = this.open()
    const options = native.describe().map((field) => [field.name, field.text ?? field.number])
    return {
      name: this.name,
      key: native.key,
      store: this.store,
      kind: 'segment',
      ...Object.fromEntries(options),
    }
  }

  state(): State {
    const { isFailing, remaining, lastRefillMs } = this.open().health()
    const last = lastRefillMs === undefined ? {} : { lastRefillMs }
    return { isFailing, told: { name: this.name, remaining, ...last } }
  }

  numbers(): number[] {
    return [this.#block.native.id]
  }

  /** The block, which a constant finds at its first call. */
  protected open(): Block {
    this.assertOpen()
    if (this.#bind !== undefined) {
      const { block, owner } = this.#bind()
      this.bindTo(block, owner)
    }
    return this.#block
  }

  protected reserveTimeout(): number {
    return this.#block.reserveTimeout
  }

  /** From now on this is a handle on `block`. */
  protected bindTo(block: Block, owner: Owner): void {
    this.#bind = undefined
    this.#block = block
    block.handles++
    this.join(owner, block.native.id)
  }

  protected leave(): Left {
    const block = this.#block
    const { key, id } = block.native
    this.#block = CLOSED
    return { queue: block, key, number: id, end: () => letGo(block) }
  }
}

/** One handle less; `true` if it was the last one of the realm. */
function letGo(block: Block): boolean {
  if (--block.handles > 0) return false
  blocks.delete(block.native.id)
  block.close()
  return true
}
