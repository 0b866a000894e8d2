// Where generators come from: a store and a namespace.

import type { IdsOptions, Ids as PublicIds, SegmentGenerator, SegmentOptions } from '../index.js'
import { NativeIds, type NativeIdsHandle } from './binding.js'
import { Block } from './block.js'
import { closed, invalid, rejected, thrown } from './errors.js'
import { checkOptions } from './options.js'
import { Segment } from './segment.js'
import { blocks } from './state.js'

export class Ids implements Pick<PublicIds, keyof PublicIds> {
  readonly store: string
  readonly #native: NativeIdsHandle
  readonly #handles = new Set<{ close(): Promise<void> }>()
  #closing: Promise<void> | undefined

  constructor(native: NativeIdsHandle) {
    this.#native = native
    this.store = native.store
  }

  segment<const Name extends string>(name: Name, options?: SegmentOptions): SegmentGenerator<Name> {
    if (this.#closing !== undefined) throw closed(this.store)
    if (typeof name !== 'string') throw invalid('name', name, 'expected text')
    const checked = checkOptions('segment', options)
    const block = sharedBlock(() => this.#native.segment(name, checked))
    const handle: Segment<Name> = new Segment(name, block, () => this.#handles.delete(handle))
    this.#handles.add(handle)
    return handle
  }

  async ready(): Promise<void> {
    if (this.#closing !== undefined) throw closed(this.store)
    try {
      await this.#native.ready()
    } catch (reason) {
      throw rejected(reason)
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#handles].map((handle) => handle.close()))
    try {
      await this.#native.close()
    } catch (reason) {
      throw rejected(reason)
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

/** The realm's block of a generator: the one there is, or a new one. */
function sharedBlock(open: () => ReturnType<NativeIdsHandle['segment']>): Block {
  let native: ReturnType<typeof open>
  try {
    native = open()
  } catch (error) {
    throw thrown(error)
  }
  const shared = blocks.get(native.id)
  if (shared !== undefined) {
    native.close()
    return shared
  }
  const block = new Block(native)
  blocks.set(native.id, block)
  return block
}

export function createIds(url?: string, options?: IdsOptions): Ids {
  const checked = checkOptions('ids', options)
  const place = storeUrl(url)
  try {
    return new Ids(new NativeIds(place, checked))
  } catch (error) {
    throw thrown(error)
  }
}

export async function connect(url?: string, options?: IdsOptions): Promise<Ids> {
  const ids = createIds(url, options)
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
function storeUrl(url: unknown): string {
  const given = url === undefined ? process.env.MINTID_URL : url
  if (given === undefined) {
    throw invalid('url', undefined, 'expected a URL such as sqlite:ids.db, or MINTID_URL to be set')
  }
  if (typeof given !== 'string') throw invalid('url', given, 'expected text')
  return given
}
