// `mintid doctor`: whether counters are safe in a store, and what to change.

import type { Diagnosis, Finding } from '../../index.js'
import type { Given } from './arguments.js'
import { type Command, DONE, FAILED } from './command.js'
import { print, printJson } from './output.js'
import { withStore } from './store.js'

/** What matters most comes first. */
const LEVELS: readonly Finding['level'][] = ['danger', 'advice', 'ok']

export const doctor: Command = {
  name: 'doctor',
  places: [],
  flags: ['strict', 'allow-create'],
  summary: 'says whether counters are safe in a store',
  about:
    'Looks at the store as a service with these options would find it: what it is, what is a ' +
    'danger to counters, what could be better, and what to change. Fails where there is a danger.',
  run,
}

async function run(given: Given): Promise<number> {
  return await withStore(given, async (ids) => {
    const { facts, findings } = await ids.diagnose()
    const sorted = LEVELS.flatMap((level) => findings.filter((each) => each.level === level))
    const worst = sorted[0]?.level ?? 'ok'
    await (given.flags.has('json')
      ? printJson({ store: ids.store, level: worst, facts, findings: sorted })
      : print(report(ids.store, { facts, findings: sorted })))
    if (worst === 'danger') return FAILED
    // A look takes any server; a service takes those alone that are what its options demand.
    await ids.ready()
    return worst === 'advice' && given.flags.has('strict') ? FAILED : DONE
  })
}

function report(store: string, { facts, findings }: Diagnosis): string {
  const parts = [`${store}\n`, factLines(facts), findings.map(findingLines).join('')]
  return parts.filter((part) => part !== '').join('\n')
}

function factLines(facts: Diagnosis['facts']): string {
  const rows = Object.entries(facts)
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}\n`).join('')
}

/** One line is what was found, the next one what to change. */
function findingLines({ level, what, advice }: Finding): string {
  const margin = Math.max(...LEVELS.map((each) => each.length)) + 2
  const change = advice === undefined ? '' : `${' '.repeat(margin)}→ ${advice}\n`
  return `${level.padEnd(margin)}${what}\n${change}`
}
