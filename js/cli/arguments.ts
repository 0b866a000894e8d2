// From the words of a command line to the values of flags, refused by name where they are wrong.

import { parseArgs } from 'node:util'
import { nearest } from '../nearest.js'
import { FLAGS, type Flag, type FlagName } from './flags.js'
import { UsageError } from './usage.js'

type Token = NonNullable<ReturnType<typeof tokenise>>[number]
type OptionToken = Extract<Token, { kind: 'option' }>

/** What was given: of each flag its value, or `true` where it takes none. */
export interface Given {
  readonly places: readonly string[]
  readonly flags: ReadonlyMap<FlagName, string | true>
}

/** The value of a flag that takes one, where it was given. */
export function textOf({ flags }: Given, name: FlagName): string | undefined {
  return flags.get(name) as string | undefined
}

/** A command line that has been split and not yet judged. */
export class Words {
  readonly #tokens: readonly Token[]
  /** What is no flag and no value of one, in order. */
  readonly places: readonly string[]

  constructor(args: string[]) {
    this.#tokens = tokenise(args)
    this.places = this.#tokens.flatMap((token) => (token.kind === 'positional' ? token.value : []))
  }

  /** Whether a flag is there, however wrong the rest may be. */
  has(name: FlagName): boolean {
    return this.#options().some((token) => token.name === name)
  }

  /** The flags, each one of `allowed`, at most once, with a value where it takes one. */
  flags(allowed: readonly FlagName[]): Map<FlagName, string | true> {
    const flags = new Map<FlagName, string | true>()
    for (const token of this.#options()) {
      const flag = FLAGS.find(({ name }) => name === token.name && allowed.includes(name))
      if (flag === undefined) throw unknown(token, allowed)
      if (flags.has(flag.name)) throw new UsageError(`${token.rawName} is given twice`)
      flags.set(flag.name, readValue(flag, token))
    }
    return flags
  }

  #options(): OptionToken[] {
    return this.#tokens.filter((token) => token.kind === 'option')
  }
}

/** Not strict: the messages of `parseArgs` know no nearest name. */
function tokenise(args: string[]) {
  const options = FLAGS.map(({ name, short, value }) => [
    name,
    { type: value === undefined ? 'boolean' : 'string', ...(short && { short }) } as const,
  ])
  return parseArgs({
    args,
    options: Object.fromEntries(options) as Record<string, { type: 'boolean' | 'string' }>,
    strict: false,
    tokens: true,
  }).tokens
}

function readValue({ name, value }: Flag, token: OptionToken): string | true {
  if (value === undefined) {
    if (token.value !== undefined) throw new UsageError(`--${name} takes no value`)
    return true
  }
  // `--store --json` has forgotten the URL, while -1 may be a count that is wrong.
  const isFlag = token.inlineValue === false && token.value?.startsWith('--')
  if (token.value === undefined || isFlag) {
    throw new UsageError(`${token.rawName} lacks its value: ${token.rawName} ${value}`)
  }
  return token.value
}

function unknown({ name, rawName }: OptionToken, allowed: readonly FlagName[]): UsageError {
  const meant = nearest(name, allowed)
  const hint = meant === undefined ? allowed.map((each) => `--${each}`).join(', ') : undefined
  return new UsageError(`there is no option ${rawName} here: ${hint ?? `did you mean --${meant}?`}`)
}
