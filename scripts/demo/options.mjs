// The options of the demo: read, checked, and refused by name.

import { BadOption, readArguments, wholeNumber } from '../options.mjs'

export const HELP = `usage: npm run demo [-- OPTION…]

Several processes of several worker threads mint ids of one generator from one store.
All ids are merged and compared: nothing is sampled. Exit code 1 on any duplicate.

  --ids N         how many ids to mint in all          (1000000)
  --processes N   how many processes                   (4)
  --workers N     how many worker threads in each      (2)
  --store URL     the store            (a SQLite file in a temporary folder)
                  memory:NAME is private to each process: duplicates must be found
  --kill          kill -9 the first process midway: what it had written counts
  --json          print the figures as one JSON object
  --no-build      use the addon as it was built last
  --help          this text
`

const WHOLE_NUMBERS = {
  ids: { least: 1, most: 100_000_000, preset: 1_000_000 },
  processes: { least: 1, most: 64, preset: 4 },
  workers: { least: 1, most: 64, preset: 2 },
}

export function parseOptions(args) {
  const values = parse(args)
  const options = {
    ids: count('ids', values.ids),
    processes: count('processes', values.processes),
    workers: count('workers', values.workers),
    store: values.store,
    kill: values.kill,
    json: values.json,
    build: !values['no-build'],
    help: values.help,
  }
  if (options.store === 'memory:') {
    throw new BadOption('--store memory: is private to each worker: memory:NAME is what they share')
  }
  if (options.store === '') throw new BadOption('--store is empty: a URL is due')
  if (options.kill && options.processes < 2) {
    throw new BadOption('--kill needs --processes 2 or more: one of them must live')
  }
  const workers = options.processes * options.workers
  if (options.ids < workers) {
    throw new BadOption(`--ids ${options.ids} is less than one for each of ${workers} workers`)
  }
  return options
}

function parse(args) {
  const text = { type: 'string' }
  const flag = { type: 'boolean', default: false }
  return readArguments(args, {
    ids: text,
    processes: text,
    workers: text,
    store: text,
    kill: flag,
    json: flag,
    'no-build': flag,
    help: flag,
  })
}

function count(name, text) {
  const { preset, ...bounds } = WHOLE_NUMBERS[name]
  return text === undefined ? preset : wholeNumber(name, text, bounds)
}
