// `mintid floor`: raises a counter.

import type { Given } from './arguments.js'
import { type Command, DONE } from './command.js'
import { print, printJson } from './output.js'
import { keyOf, withStore } from './store.js'
import { typed, wholeNumber } from './usage.js'

/** 2^63 − 2, the highest id there can be. */
const HIGHEST = 2n ** 63n - 2n

export const floor: Command = {
  name: 'floor',
  places: ['NAME', 'VALUE'],
  flags: [],
  summary: 'raises a counter, so that its next id is above a value',
  about:
    'Raises the counter NAME to VALUE, so that the next reservation is above it; never lowers ' +
    'it. One that is not there is created. Processes hand out what they hold in memory first: ' +
    'restart them if ids up to VALUE are in use elsewhere.',
  run,
}

async function run(given: Given): Promise<number> {
  const [name, text] = given.places as [string, string]
  const value = wholeNumber('VALUE', text, 0n, HIGHEST)
  const key = keyOf(given, name)
  await withStore(given, async (ids) => {
    // A name that cannot be used is refused before the store is reached.
    await typed(() => ids.segment(name)).close()
    const find = async () => (await ids.list(name)).find((counter) => counter.key === key)?.value
    const before = await find()
    const changed = await ids.floor(name, value)
    // Another process may have raised it in between: then what is told is where it stands now.
    const now = changed ? value : ((await find()) ?? value)
    await (given.flags.has('json')
      ? printJson({ key, changed, before: before?.toString() ?? null, value: String(now) })
      : print(`${told({ key, changed, before, now })}\n`))
  })
  return DONE
}

interface Outcome {
  key: string
  changed: boolean
  before: bigint | undefined
  now: bigint
}

function told({ key, changed, before, now }: Outcome): string {
  if (!changed) return `${key} stands at ${now}: nothing was changed`
  return before === undefined
    ? `${key} was created at ${now}: its next id is above that`
    : `${key} was raised from ${before} to ${now}: its next id is above that`
}
