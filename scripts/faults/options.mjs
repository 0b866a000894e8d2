// The options of the fault tests: read, checked, and refused by name.

import { BadOption, readWords, wholeNumber } from '../options.mjs'
import { SCENARIOS, SHORT } from './scenarios.mjs'

export const HELP = `usage: npm run faults -- STORE [SCENARIO…] [OPTION…]

Processes mint ids from one store while harm is done to it or to them: ranges of a counter where
STORE is redis, Snowflake ids under leased machine numbers where it is lease. Afterwards all ids of
all processes are compared: nothing is sampled. Exit code 1 on any duplicate, where a caller waited
longer than it may, where a process ended by itself, and where minting did not go on. Without a
SCENARIO all of them run, one after another.

  --list        the scenarios and what each does
  --seconds N   how long each takes, starts and ends not counted   (as each needs)
  --short       some of them in less than a minute in all
  --json        print the figures as one JSON object
  --no-build    use the addon as it was built last
  --help        this text
`

const SECONDS = { least: 2, most: 3_600 }

/** `runs` is what is to be run: `[scenario, seconds]` each. */
export function parseOptions(args) {
  const { values, positionals } = parse(args)
  if (values.help) return { help: true }
  const [store, ...names] = positionals
  if (store === undefined)
    throw new BadOption(`a store is due: ${Object.keys(SCENARIOS).join(' ')}`)
  if (!Object.hasOwn(SCENARIOS, store)) {
    throw new BadOption(`no store '${store}': there is ${Object.keys(SCENARIOS).join(' ')}`)
  }
  return {
    build: !values['no-build'],
    json: values.json ?? false,
    list: values.list ?? false,
    scenarios: SCENARIOS[store],
    runs: values.short ? short(store, names, values) : chosen(store, names, values),
  }
}

function parse(args) {
  const flag = { type: 'boolean' }
  const options = {
    seconds: { type: 'string' },
    short: flag,
    json: flag,
    list: flag,
    'no-build': flag,
    help: flag,
  }
  return readWords(args, options)
}

function short(store, names, { seconds }) {
  if (names.length > 0) throw new BadOption(`${names[0]} does not go with --short, which chooses`)
  if (seconds !== undefined) throw new BadOption('--seconds does not go with --short')
  return SHORT[store]
}

function chosen(store, names, { seconds }) {
  const scenarios = SCENARIOS[store]
  const unknown = names.find((name) => !scenarios.some((scenario) => scenario.name === name))
  if (unknown !== undefined) {
    const known = scenarios.map(({ name }) => name).join(' ')
    throw new BadOption(`no scenario '${unknown}': there are ${known}`)
  }
  const all = seconds === undefined ? undefined : wholeNumber('seconds', seconds, SECONDS)
  return scenarios
    .filter(({ name }) => names.length === 0 || names.includes(name))
    .map((scenario) => [scenario, all ?? scenario.seconds])
}
