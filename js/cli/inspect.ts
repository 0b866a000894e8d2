// `mintid inspect`: what a store remembers.

import type { Given } from './arguments.js'
import { type Command, DONE } from './command.js'
import { print, printJson, say } from './output.js'
import { withStore } from './store.js'

export const inspect: Command = {
  name: 'inspect',
  places: ['[PREFIX]'],
  flags: [],
  summary: 'shows the counters of a store',
  about:
    'Shows the counters whose names begin with PREFIX, or all: the highest id granted, whether ' +
    'the counter is sealed, and the key it is remembered under.',
  run,
}

async function run(given: Given): Promise<number> {
  const prefix = given.places[0] ?? ''
  await withStore(given, async (ids) => {
    const counters = await ids.list(prefix)
    if (given.flags.has('json')) {
      const plain = counters.map(({ key, value, sealed }) => ({
        key,
        value: value?.toString() ?? null,
        sealed,
      }))
      await printJson({ store: ids.store, counters: plain })
    } else if (counters.length === 0) {
      say(`${ids.store} has no counter${prefix && ` that begins with ${JSON.stringify(prefix)}`}`)
    } else {
      await print(table(counters.map(({ key, value, sealed }) => [value, sealed, key])))
    }
  })
  return DONE
}

/** Keys come last: they may hold anything, and letters of any width. */
function table(rows: [value: bigint | undefined, sealed: boolean, key: string][]): string {
  const cells = rows.map(([value, sealed, key]) => [
    String(value ?? '-'),
    sealed ? 'yes' : 'no',
    key,
  ])
  const lines = [['highest id', 'sealed', 'key'], ...cells] as [string, string, string][]
  const width = Math.max(...lines.map(([value]) => value.length))
  return lines
    .map(([value, sealed, key]) => `${value.padStart(width)}  ${sealed.padEnd(6)}  ${key}\n`)
    .join('')
}
