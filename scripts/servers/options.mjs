// The options of the servers: read, checked, and refused by name.

import { BadOption, readWords } from '../options.mjs'
import { NAMES } from './set.mjs'

export const HELP = `usage: npm run servers -- start [NAME…]
       npm run servers -- stop [NAME…]
       npm run servers -- status

Starts servers on free ports of 127.0.0.1, in temporary folders, without installing anything, and
prints a line with name and URL for each. They live on until they are stopped. What is needed is
downloaded once. For Linux on x86-64.

  redis7     Redis 7.0
  redis8     Redis 8.2
  valkey9    Valkey 9.1
  cluster    three masters of Valkey 9.1
  sentinel   a master, a replica and three Sentinels of Valkey 9.1
  kvrocks    Redis 7.0 that can do no more than Kvrocks

Without a NAME: all of them. status exits with 1 when one that was started does not run.

  --json        print one JSON object of names and URLs
  --env         print the variables by which tests find them, for a shell to read
  --file FILE   where to remember what runs   (.cache/servers/running.json)
  --help        this text
`

const COMMANDS = ['start', 'stop', 'status']

/** `{ command, names, format, file, help }`; no names stand for all. */
export function parseOptions(args) {
  const { values, positionals } = parse(args)
  const { json, env, help, file } = values
  if (help) return { help }
  const [command, ...names] = positionals
  if (!COMMANDS.includes(command)) {
    const what = command === undefined ? 'a command is missing' : `no such command: ${command}`
    throw new BadOption(`${what} (there are: ${COMMANDS.join(' ')})`)
  }
  const unknown = names.filter((name) => !NAMES.includes(name))
  if (unknown.length > 0) {
    throw new BadOption(`no such server: ${unknown.join(' ')} (there are: ${NAMES.join(' ')})`)
  }
  if (json && env) throw new BadOption('--json and --env: one of them is due')
  if (command === 'stop' && (json || env)) {
    throw new BadOption(`--${json ? 'json' : 'env'} goes with start and status`)
  }
  if (file === '') throw new BadOption('--file is empty: the name of a file is due')
  return { command, names, file, format: json ? 'json' : env ? 'env' : 'lines' }
}

function parse(args) {
  const flag = { type: 'boolean' }
  return readWords(args, { json: flag, env: flag, help: flag, file: { type: 'string' } })
}
