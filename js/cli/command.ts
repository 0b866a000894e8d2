// What a command of `mintid` is.

import type { Given } from './arguments.js'
import { COMMON, type FlagName, STORE } from './flags.js'

export interface Command {
  readonly name: string
  /** Its places in order; one in brackets may be left out. */
  readonly places: readonly string[]
  /** The flags beside those that every command takes. */
  readonly flags: readonly FlagName[]
  /** Whether it works without a store, and takes no flag about one. */
  readonly isAlone?: boolean
  readonly summary: string
  readonly about: string
  /** Does it, and gives the exit code; a failure is thrown. */
  run(given: Given): Promise<number>
}

/** The exit codes. */
export const DONE = 0
export const FAILED = 1
export const NOT_UNDERSTOOD = 2

export const flagsOf = ({ flags, isAlone }: Command): FlagName[] =>
  isAlone ? [...flags, ...COMMON] : [...flags, ...STORE, ...COMMON]
