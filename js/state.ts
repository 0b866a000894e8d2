// What copies of the package in one realm have to share: one block per generator.

import { createRequire } from 'node:module'
import type { Block } from './block.js'

interface State {
  /** The blocks of this realm, by the addon's number of the generator. */
  blocks: Map<number, Block>
}

const { version } = createRequire(__filename)('../package.json') as { version: string }

/** By version, because the objects of another version may have another shape. */
const key = Symbol.for('mintid')
const realm = globalThis as { [key]?: Record<string, State> }

realm[key] ??= {}
realm[key][version] ??= { blocks: new Map() }

export const { blocks } = realm[key][version]
