// What came of the scenarios, for people and for programs.

import { grouped } from '../demo/progress.mjs'

const COLUMNS = [
  ['scenario', ({ scenario }) => scenario],
  ['ids', ({ ids }) => grouped(ids)],
  ['duplicates', ({ duplicates }) => grouped(duplicates)],
  ['longest wait', ({ longestWaitMs }) => `${grouped(longestWaitMs)} ms`],
  ['longest gap', ({ gapMs }) => `${grouped(gapMs)} ms`],
  ['jumps', ({ jumped }) => figure(jumped)],
  ['went back', ({ wentBack }) => figure(wentBack)],
  ['numbers', ({ numbers }) => figure(numbers)],
  ['leases', ({ leases }) => figure(leases)],
  ['lost', ({ lost }) => figure(lost)],
  ['verdict', ({ complaints }) => (complaints.length === 0 ? 'ok' : 'FAILED')],
  [
    'errors',
    ({ errors }) =>
      errors.map(({ code, count }) => `${code} ${grouped(count)}`).join(', ') || 'none',
  ],
]
/** What the results are not about is no figure: its column is left out. */
const figure = (count) => (count === undefined ? '' : grouped(count))

/** Texts; all else are figures, which stand at the right. */
const TEXTS = ['scenario', 'verdict', 'errors']

/** The scenarios and what each does. */
export function asList(scenarios) {
  const width = Math.max(...scenarios.map(({ name }) => name.length))
  return scenarios.map(({ name, about }) => `${name.padEnd(width)}  ${about}\n`).join('')
}

export function asTable(results) {
  const done = results.filter(({ leftOut }) => leftOut === undefined)
  const columns = COLUMNS.map(([title, cell]) => [title, ...done.map(cell)])
    .filter(([, ...cells]) => cells.some((cell) => cell !== ''))
    .map(padded)
  const rows = (columns[0] ?? []).map((_, row) => columns.map((column) => column[row]).join('  '))
  return [...rows, ...results.flatMap(remarks)].map((text) => `${text.trimEnd()}\n`).join('')
}

/** One object on one line; ids are text, as everywhere in JSON. */
export function asJson(results) {
  const failed = results.filter(hasFailed).length
  const text = (_, value) => (typeof value === 'bigint' ? String(value) : value)
  return `${JSON.stringify({ failed, scenarios: results }, text)}\n`
}

export const hasFailed = ({ complaints = [] }) => complaints.length > 0

function padded([title, ...cells]) {
  const width = Math.max(...[title, ...cells].map(({ length }) => length))
  const pad = (text) => (TEXTS.includes(title) ? text.padEnd(width) : text.padStart(width))
  return [title, ...cells].map(pad)
}

/** Under the table, since no cell would hold them; with them one example of each error. */
function remarks({ scenario, leftOut, complaints, errors }) {
  if (leftOut !== undefined) return [`${scenario}: LEFT OUT, ${leftOut}`]
  if (complaints.length === 0) return []
  return [
    ...complaints.map((complaint) => `${scenario}: ${complaint}`),
    ...errors.map(({ count, example }) => `${scenario}: ${grouped(count)} × ${example}`),
  ]
}
