// The figures, for people and for programs.

import { cpus, loadavg, totalmem } from 'node:os'

/** Where and when it was measured. */
export function circumstances() {
  const [{ model }] = cpus()
  const memory = `${Math.round(totalmem() / 2 ** 30)} GiB`
  return {
    date: new Date().toISOString().slice(0, 16).replace('T', ' '),
    machine: `${model}, ${cpus().length} cores, ${memory}, ${process.platform} ${process.arch}`,
    load: Number(loadavg()[0].toFixed(1)),
    node: process.version,
  }
}

/** Whether a figure keeps its limit; `null` where there is none. */
export const verdict = ({ figure, limit }) => (limit === null ? null : figure <= limit)

export const asJson = (circumstances, rows) =>
  `${JSON.stringify({ ...circumstances, rows }, null, 2)}\n`

export function asTable(circumstances, questions) {
  const lines = [describe(circumstances)]
  for (const { title, rows } of questions) {
    lines.push('', title)
    const cells = rows.map(toCells)
    const widths = cells[0].map((_, i) => Math.max(...cells.map((row) => row[i].length)))
    for (const row of cells) {
      lines.push(`  ${row.map((cell, i) => cell.padEnd(widths[i])).join('  ')}`.trimEnd())
    }
  }
  return `${lines.join('\n')}\n`
}

export function asPage(circumstances, questions) {
  const lines = [
    '# Benchmarks',
    '',
    'Written by `npm run bench -- --write`, never by hand. The scripts are in `bench/`: candidate',
    'and floor alternate in one process, in short rounds; figures are medians, and those of',
    'JavaScript medians over several processes. Ratios carry over to other machines, nanoseconds',
    'do not. *Wasted* ids were granted and will never be handed out; *unused* ones were reserved',
    'and not handed out by the end.',
    '',
    describe(circumstances),
  ]
  for (const { title, rows } of questions) {
    lines.push('', `## ${title}`, '', '| | figure | limit | | measured |', '|---|---|---|---|---|')
    for (const row of rows) lines.push(`| ${toCells(row).join(' | ')} |`)
  }
  return `${lines.join('\n')}\n`
}

const describe = ({ date, machine, load, node }) =>
  `Measured at ${date} UTC on ${machine}; load ${load} at the start; Node ${node} where none is named.`

function toCells({ name, figure, unit, limit, aim, ok, detail }) {
  const target = aim === undefined ? '' : `, aim ${aim}`
  return [
    name,
    `${short(figure)} ${unit}`,
    limit === null ? 'no limit' : `at most ${short(limit)}${target}`,
    ok === null ? '' : ok ? 'met' : 'MISSED',
    Object.entries(detail)
      .map(([key, value]) => `${key} ${typeof value === 'number' ? short(value) : value}`)
      .join(', '),
  ]
}

function short(number) {
  if (Number.isInteger(number)) return number.toLocaleString('en-US')
  return Math.abs(number) < 0.01 ? number.toPrecision(2) : number.toFixed(2)
}
