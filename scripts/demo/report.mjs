// The figures of the demo, for people and for programs.

import { grouped } from './progress.mjs'

/** One object on one line; ids are text, as everywhere in JSON. */
export function asJson(options, figures) {
  const { ids, duplicates, gaps, seconds, refills, waste } = figures
  const json = {
    ids,
    duplicates,
    gaps,
    lowest: String(figures.lowest),
    highest: String(figures.highest),
    seconds: Number(seconds.toFixed(3)),
    idsPerSecond: perSecond(figures),
    roundTrips: refills,
    waste,
    processes: options.processes,
    workers: options.workers,
    killed: figures.killed.filter(Boolean).length,
  }
  return `${JSON.stringify(json)}\n`
}

export function asTable(options, figures) {
  const { ids, duplicates, firstDuplicate, gaps, lowest, highest, seconds } = figures
  const killed = figures.killed.filter(Boolean).length
  const living = killed > 0 ? ' by the processes that lived; the other loss is among the gaps' : ''
  const rows = [
    [
      'ids',
      ids,
      killed > 0 ? `of ${grouped(options.ids)}: a process was killed midway` : 'all compared',
    ],
    ['duplicates', duplicates, duplicates > 0 ? `the first is ${firstDuplicate}` : ''],
    ['gaps', gaps, `ids missing between ${lowest} and ${highest}`],
    [
      'ids per second',
      perSecond(figures),
      `minting took ${seconds.toFixed(2)} s, starting not counted`,
    ],
    ['store round trips', figures.refills, killed > 0 ? 'of the processes that lived' : ''],
    ['waste', figures.waste, `ids reserved and never issued${living}`],
  ].map(([name, figure, remark]) => [name, grouped(figure), remark])
  const names = Math.max(...rows.map(([name]) => name.length))
  const widths = Math.max(...rows.map(([, figure]) => figure.length))
  return rows
    .map((row) => `${row[0].padEnd(names)}  ${row[1].padStart(widths)}  ${row[2]}`.trimEnd())
    .map((line) => `${line}\n`)
    .join('')
}

const perSecond = ({ ids, seconds }) => Math.round(ids / seconds)
