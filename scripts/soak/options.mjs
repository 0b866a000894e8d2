// The options of the soak: read, checked, and refused by name.

import { BadOption, readArguments, wholeNumber } from '../options.mjs'

export const HELP = `usage: npm run soak [-- OPTION…]

Without --minutes the tests run whose counts are huge, with all of them, and 8 processes of 4
workers mint 32,000,000 ids. Takes some minutes.

With --minutes several processes of several worker threads mint ids of one generator from one
store, in every way and with every policy, while processes are killed by kill -9 and paused, and
threads are terminated. All ids are compared: nothing is sampled. Exit code 1 on any duplicate,
and on any id that is lower than the one before it in its thread.

  --minutes N     how long, such as 0.5
  --processes N   how many processes at a time          (4)
  --workers N     how many worker threads in each       (2)
  --store URL     the store             (a SQLite file in a temporary folder)
                  memory:NAME is private to each process: duplicates must be found
  --json          print the figures as one JSON object
  --no-build      use the addon as it was built last
  --help          this text
`

const LONGEST = 7 * 24 * 60
const FEW = { least: 1, most: 64 }

/** `minutes` is undefined where the huge counts are wanted. */
export function parseOptions(args) {
  const { help, 'no-build': noBuild, ...given } = parse(args)
  if (given.minutes === undefined) {
    const [stray] = Object.keys(given)
    if (stray !== undefined) throw new BadOption(`--${stray} goes with --minutes`)
    return { help, build: !noBuild }
  }
  if (given.store === '') throw new BadOption('--store is empty: a URL is due')
  return {
    help,
    build: !noBuild,
    minutes: minutes(given.minutes),
    processes: wholeNumber('processes', given.processes ?? '4', FEW),
    workers: wholeNumber('workers', given.workers ?? '2', FEW),
    store: given.store,
    json: given.json ?? false,
  }
}

function parse(args) {
  const text = { type: 'string' }
  const flag = { type: 'boolean' }
  return readArguments(args, {
    minutes: text,
    processes: text,
    workers: text,
    store: text,
    json: flag,
    'no-build': flag,
    help: flag,
  })
}

function minutes(value) {
  const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN
  if (number > 0 && number <= LONGEST) return number
  throw new BadOption(`--minutes is '${value}': a number above 0, at most ${LONGEST}, is due`)
}
