// `node scripts/docs.mjs` writes the pages of options and errors from the tables that the addon
// gives out; `--check` fails where a page says anything else. The addon must have been built.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { HOST } from './platforms.mjs'
import { isMain, main, ROOT, StepFailed } from './steps.mjs'

const ADDON = join(ROOT, HOST.file)

/** The tables, as the addon gives them out. */
export function readTables() {
  if (!existsSync(ADDON)) throw new StepFailed('the addon is missing: npm run build:dev makes it')
  const { optionTable, errorTable } = createRequire(import.meta.url)(ADDON)
  return { options: optionTable(), errors: errorTable() }
}

/** The pages, by their path from the root. */
export function pages({ options, errors }) {
  return new Map([
    ['docs/options.md', optionsPage(options)],
    ['docs/errors.md', errorsPage(errors)],
  ])
}

const WRITTEN =
  '<!-- Written by scripts/docs.mjs from the tables of the addon: change those, not this. -->'

const optionsPage = (rows) => `${WRITTEN}

# Options

A value of another type or outside its bounds, and a name that is not in the table, are refused with
\`ERR_MINTID_CONFIG_INVALID\`; the message names the option, the value and what is accepted. Nothing
is rounded or clamped in silence, but for the one rounding that a table names.

In one process a store is opened once and a generator exists once, whoever asks. An option that is
left out matches what is in force; another value is refused, and the message names both. Only
\`namespace\` and \`logger\` may differ between users of a store. What names Redis is of no effect on
other stores. In Rust the same options are the fields of
\`IdsOptions\` and \`SegmentOptions\`, in snake case and with \`Duration\` for milliseconds.

## Options of a store

Given to \`createIds(store, options)\`, \`connect(store, options)\` and \`init(url, options)\`.

${table(['option', 'accepts', 'default', 'meaning'], ofScope(rows, 'ids').map(optionRow))}

## Options of a segment generator

Given to \`ids.segment(name, options)\` and \`new KvId(name, options)\`. An option that the chosen
policy does not read is refused. [Policies](policies.md) says which policy to choose; that of a
\`KvId\` is \`proportional\` unless another is named.

${table(
  ['option', 'accepts', 'default', 'read by', 'meaning'],
  ofScope(rows, 'segment').map((row) => optionRow(row).toSpliced(3, 0, readers(row))),
)}

## Options of Snowflake ids

Given to \`ids.snowflake(name, options)\`; see [Snowflake ids](snowflake.md). All generators of one
store and namespace share them.

${table(['option', 'accepts', 'default', 'meaning'], ofScope(rows, 'snowflake').map(optionRow))}

\`layout\` is \`"jsSafe"\`, or an object of these:

${table(['option', 'accepts', 'default', 'meaning'], ofScope(rows, 'layout').map(optionRow))}

\`lease\` is an object of these, the same for all processes of a namespace:

${table(['option', 'accepts', 'default', 'meaning'], ofScope(rows, 'lease').map(optionRow))}

## Arguments of calls

\`signal\` and \`timeoutMs\` are given in an object, as in \`orders.next({ timeoutMs: 200 })\`, to
every call of a generator that may wait; so is \`count\`, to \`ready\`.

${table(['argument', 'accepts', 'default', 'meaning'], ofScope(rows, 'call').map(optionRow))}
`

const errorsPage = (rows) => `${WRITTEN}

# Errors

Every failure of mintid is a \`MintIdError\`: \`code\` is one of those below, \`retryable\` says
whether the same call may succeed later, \`cause\` is the failure behind it, where there is one.
Match on \`code\`, never on the message or the class.

A call that fails has handed out no id. Final failures of a store end the refills of a generator;
the ids that it has in memory are served all the same. In Rust \`Error::code()\` gives the same
codes.

${table(['code', 'retryable', 'meaning'], rows.map(errorRow))}

A package without its addon throws before there is any class: a plain \`Error\` with the code
\`ERR_MINTID_ADDON_UNAVAILABLE\`. [Installation](installation.md#when-the-addon-is-not-there) says why.

What they mean for a file is in [the SQLite store](sqlite.md#what-each-error-means), for a server in
[Redis](redis.md#what-each-error-means), and what to do about them at night in
[production](production.md#when-something-is-wrong).
`

const ofScope = (rows, scope) => rows.filter((row) => row.scope === scope)

const optionRow = (row) => [code(row.name), accepts(row), fallback(row), row.doc]

const errorRow = (row) => [code(row.code), row.retryable ? 'yes' : 'no', row.doc]

const readers = ({ policies }) => (policies.length === 0 ? 'all' : policies.map(code).join(', '))

function accepts({ kind, least, most, words, expected }) {
  const bounds = () => `${asFigure(least)} to ${asFigure(most)}`
  switch (kind) {
    case 'id':
      return `bigint or integer, ${bounds()}`
    case 'count':
    case 'number':
      return `integer, ${bounds()}`
    case 'span':
      return `\`[lowest, highest]\`, each ${bounds()}`
    case 'options':
      return 'an object'
    case 'layout':
      return '`jsSafe`, or an object'
    case 'ms':
      return `milliseconds, ${bounds()}`
    case 'flag':
      return '`true` or `false`'
    case 'choice':
      return words.map(code).join(', ')
    case 'text':
      return 'text'
    case 'durability':
      return '`none`, `disk`, `{ replicas: n }`'
    case 'object':
      return expected.replace(/^expected /, '')
    default:
      throw new StepFailed(`scripts/docs.mjs does not know the kind ${kind}`)
  }
}

function fallback({ kind, fallback }) {
  if (/^\d+$/.test(fallback)) return asFigure(BigInt(fallback))
  return ['choice', 'flag', 'durability'].includes(kind) ? code(fallback) : fallback
}

/** 5000 as 5,000, and a large number close to a power of two as that: 2^63 − 2. */
export function asFigure(number) {
  for (const below of [0n, 1n, 2n]) {
    const digits = (number + below).toString(2)
    if (digits.length > 20 && /^10*$/.test(digits)) {
      return `2^${digits.length - 1}${below === 0n ? '' : ` − ${below}`}`
    }
  }
  return number.toLocaleString('en-US')
}

const code = (text) => `\`${text}\``

function table(head, rows) {
  const lines = [head, head.map(() => '---'), ...rows]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const onDisk = (path) => {
  const file = join(ROOT, path)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

if (isMain(import.meta.url)) {
  await main(() => {
    const all = [...pages(readTables())]
    const stale = all.filter(([path, text]) => onDisk(path) !== text)
    if (process.argv.includes('--check')) {
      const names = stale.map(([path]) => path).join(', ')
      if (stale.length > 0) throw new StepFailed(`out of date: ${names}: run scripts/docs.mjs`)
      return
    }
    for (const [path, text] of stale) {
      writeFileSync(join(ROOT, path), text)
      process.stdout.write(`wrote ${path}\n`)
    }
  })
}
