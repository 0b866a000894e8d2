// The options of the command line: what they are called, and what they mean.

export interface Flag {
  readonly name: FlagName
  readonly short?: string
  /** What stands for its value in a usage line; a flag without one takes none. */
  readonly value?: string
  readonly doc: string
}

export type FlagName =
  | 'count'
  | 'strict'
  | 'layout'
  | 'force'
  | 'allow-create'
  | 'store'
  | 'namespace'
  | 'key'
  | 'durability'
  | 'accept-loss'
  | 'identity'
  | 'tls-ca'
  | 'tls-cert'
  | 'tls-key'
  | 'tls-servername'
  | 'json'
  | 'help'
  | 'version'

/** How many ids one command prints at most: ten digits each, that is some 10 GB. */
export const MOST_IDS = 1_000_000_000n

export const FLAGS: readonly Flag[] = [
  {
    name: 'count',
    short: 'n',
    value: 'COUNT',
    doc: `How many ids, from 1 to ${MOST_IDS}. Default 1.`,
  },
  { name: 'strict', doc: 'Fails for advice too.' },
  {
    name: 'layout',
    value: 'LAYOUT',
    doc:
      'The bits of time, machine and sequence, and where they differ the unit and the epoch, as ' +
      'in 41/10/12/ms/1577836800000, which is the default; or jsSafe.',
  },
  { name: 'force', doc: 'Frees the number whoever holds it.' },
  {
    name: 'allow-create',
    value: 'true|false',
    doc: 'Whether a counter that the store does not know may be created. Default true.',
  },
  {
    name: 'store',
    value: 'URL',
    doc:
      'The store, such as sqlite:ids.db or redis://localhost:6379. Default: what the environment ' +
      'has as MINTID_URL.',
  },
  {
    name: 'namespace',
    value: 'NAMESPACE',
    // The words of the table of options, without their marks; a test compares them.
    doc:
      "Keeps the generators of one application apart from another's in the same store. " +
      '1–128 bytes without /, {, }, control characters or a leading #.',
  },
  { name: 'key', value: 'HASH', doc: 'The Redis hash that holds the counters. Default kvid.' },
  {
    name: 'durability',
    value: 'PROOF',
    doc: 'What Redis has to prove of a range: none, disk or replicas:N. Default none.',
  },
  { name: 'accept-loss', doc: 'Uses a Redis that evicts any key when its memory is full.' },
  {
    name: 'identity',
    value: 'WHO',
    doc: 'Whether Redis has to tell who it is: server, or else none. Default server.',
  },
  { name: 'tls-ca', value: 'FILE', doc: "The authorities of the server's certificate, in PEM." },
  { name: 'tls-cert', value: 'FILE', doc: 'The certificate to show to the server, in PEM.' },
  { name: 'tls-key', value: 'FILE', doc: 'Its private key, in PEM.' },
  {
    name: 'tls-servername',
    value: 'NAME',
    doc: "The name in the server's certificate, where that is not its host.",
  },
  { name: 'json', doc: 'Prints JSON, ids as strings; failures too, on standard error.' },
  { name: 'help', short: 'h', doc: 'Prints this text.' },
  { name: 'version', doc: 'Prints the version.' },
]

/** What every command with a store takes: how that is reached. */
export const STORE: readonly FlagName[] = [
  'store',
  'namespace',
  'key',
  'durability',
  'accept-loss',
  'identity',
  'tls-ca',
  'tls-cert',
  'tls-key',
  'tls-servername',
]

/** What every command takes: the form of what it prints, and its help. */
export const COMMON: readonly FlagName[] = ['json', 'help']

/** What may be given where there is no command. */
export const ALONE: readonly FlagName[] = ['help', 'version']

/** As a usage line and a message write it. */
export const spelled = ({ name, short }: Flag) => (short ? `-${short}, --${name}` : `--${name}`)
