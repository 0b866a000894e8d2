// What copies of the package in one realm have to share: a block per generator or lease, one
// subscription.

import { copyId, type NativeEvents } from './binding.js'
import type { Block } from './block.js'
import type { Ids } from './ids.js'
import { manifest } from './manifest.js'
import type { SnowflakeBlock } from './snowflake-block.js'

interface State {
  /** The blocks of this realm, by the addon's number of the generator. */
  blocks: Map<number, Block>
  /** Those of Snowflake ids, by the addon's number of the lease. */
  snowflakes: Map<number, SnowflakeBlock>
  /** The subscription to the addon's events, once somebody listens. */
  events?: InstanceType<typeof NativeEvents>
  /** The store of the process, once the realm has asked for it. */
  ids?: Ids | undefined
}

/** By version, since objects of another may have another shape, and by addon, for its numbers. */
const copy = `${manifest.version} ${copyId()}`
const key = Symbol.for('mintid')
const shared = globalThis as { [key]?: Record<string, State> }

shared[key] ??= {}
shared[key][copy] ??= { blocks: new Map(), snowflakes: new Map() }

export const realm = shared[key][copy]
export const { blocks, snowflakes } = realm
