// What a command of `mintid` is.

import type { Given } from './arguments.js'
import { COMMON, type FlagName } from './flags.js'

export interface Command {
  readonly name: string
  /** Its places in order; one in brackets may be left out. */
  readonly places: readonly string[]
  /** The flags beside those that every command takes. */
  readonly flags: readonly FlagName[]
  readonly summary: string
  readonly about: string
  run(given: Given): Promise<void>
}

export const flagsOf = (command: Command): FlagName[] => [...command.flags, ...COMMON]
