// The options of the command line: what they are called, and what they mean.

export interface Flag {
  readonly name: FlagName
  readonly short?: string
  /** What stands for its value in a usage line; a flag without one takes none. */
  readonly value?: string
  readonly doc: string
}

export type FlagName = 'count' | 'store' | 'namespace' | 'json' | 'help' | 'version'

/** How many ids one command prints at most: ten digits each, that is some 10 GB. */
export const MOST_IDS = 1_000_000_000n

export const FLAGS: readonly Flag[] = [
  {
    name: 'count',
    short: 'n',
    value: 'COUNT',
    doc: `How many ids, from 1 to ${MOST_IDS}. Default 1.`,
  },
  {
    name: 'store',
    value: 'URL',
    doc: 'The store, such as sqlite:ids.db. Default: what the environment has as MINTID_URL.',
  },
  {
    name: 'namespace',
    value: 'NAMESPACE',
    // The words of the table of options, without their marks; a test compares them.
    doc:
      "Keeps the generators of one application apart from another's in the same store. " +
      '1–128 bytes without /, {, }, control characters or a leading #.',
  },
  { name: 'json', doc: 'Prints JSON, ids as strings; failures too, on standard error.' },
  { name: 'help', short: 'h', doc: 'Prints this text.' },
  { name: 'version', doc: 'Prints the version.' },
]

/** What every command takes. */
export const COMMON: readonly FlagName[] = ['store', 'namespace', 'json', 'help']

/** What may be given where there is no command. */
export const ALONE: readonly FlagName[] = ['help', 'version']

/** As a usage line and a message write it. */
export const spelled = ({ name, short }: Flag) => (short ? `-${short}, --${name}` : `--${name}`)
