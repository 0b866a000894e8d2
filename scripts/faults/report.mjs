// What came of the scenarios, for people and for programs.

import { grouped } from '../demo/progress.mjs'

const COLUMNS = [
  ['scenario', ({ scenario }) => scenario],
  ['ids', ({ ids }) => grouped(ids)],
  ['duplicates', ({ duplicates }) => grouped(duplicates)],
  ['longest wait', ({ longestWaitMs }) => `${grouped(longestWaitMs)} ms`],
  ['longest gap', ({ gapMs }) => `${grouped(gapMs)} ms`],
  ['jumps', ({ jumped }) => grouped(jumped)],
  ['went back', ({ wentBack }) => grouped(wentBack)],
  ['verdict', ({ complaints }) => (complaints.length === 0 ? 'ok' : 'FAILED')],
  [
    'errors',
    ({ errors }) =>
      errors.map(({ code, count }) => `${code} ${grouped(count)}`).join(', ') || 'none',
  ],
]
/** Texts; all else are figures, which stand at the right. */
const TEXTS = ['scenario', 'verdict', 'errors']

/** The scenarios and what each does. */
export function asList(scenarios) {
  const width = Math.max(...scenarios.map(({ name }) => name.length))
  return scenarios.map(({ name, about }) => `${name.padEnd(width)}  ${about}\n`).join('')
}

export function asTable(results) {
  const rows = [
    COLUMNS.map(([title]) => title),
    ...results.map((result) => COLUMNS.map(([, cell]) => cell(result))),
  ]
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  const line = (row) => row.map((cell, column) => padded(cell, column, widths[column])).join('  ')
  return [...rows.map(line), ...results.flatMap(complaints)]
    .map((text) => `${text.trimEnd()}\n`)
    .join('')
}

/** One object on one line; ids are text, as everywhere in JSON. */
export function asJson(results) {
  const failed = results.filter(({ complaints }) => complaints.length > 0).length
  const text = (_, value) => (typeof value === 'bigint' ? String(value) : value)
  return `${JSON.stringify({ failed, scenarios: results }, text)}\n`
}

const padded = (cell, column, width) =>
  TEXTS.includes(COLUMNS[column][0]) ? cell.padEnd(width) : cell.padStart(width)

/** Under the table, since no cell would hold them; with them one example of each error. */
function complaints({ scenario, complaints, errors }) {
  if (complaints.length === 0) return []
  return [
    ...complaints.map((complaint) => `${scenario}: ${complaint}`),
    ...errors.map(({ count, example }) => `${scenario}: ${grouped(count)} × ${example}`),
  ]
}
