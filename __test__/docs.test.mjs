// The documents, the type declarations and the tables of the addon say the same, and what the
// documents show is what happens.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from 'mintid'
import { asFigure, pages, readTables } from '../scripts/docs.mjs'
import {
  bodyOf,
  codeBlocks,
  deadLinks,
  documents,
  fieldsOf,
  inlineCode,
  links,
  outline,
  promised,
  read,
  run,
  rustDocs,
  unionOf,
} from './support/docs.mjs'
import { server, withoutServers } from './support/servers.mjs'

const TABLES = readTables()
const TYPES = read('index.d.ts')

/** The interface of each policy's own options. */
const POLICIES = {
  lookahead: 'LookaheadOptions',
  proportional: 'ProportionalOptions',
  doubling: 'DoublingOptions',
  fixed: 'FixedOptions',
}

const TYPE_OF_KIND = {
  id: 'bigint | number',
  count: 'number',
  number: 'number',
  span: 'readonly [lowest: number, highest: number]',
  options: 'LeaseOptions',
  layout: "LayoutOptions | 'jsSafe'",
  ms: 'number',
  flag: 'boolean',
  text: 'string',
  durability: "'none' | 'disk' | { replicas: number }",
}

/** What the documents name of the environment, in the letters of codes. */
const ENVIRONMENT = ['MINTID_URL', 'NAPI_RS_NATIVE_LIBRARY_PATH', 'NODE_APP_INSTANCE', 'NODE_DEBUG']

/** Thrown by the loader: the table of codes is in the addon that there is not. */
const WITHOUT_ADDON = 'ADDON_UNAVAILABLE'

/** The interfaces of Snowflake options, by their scope. */
const SNOWFLAKES = { snowflake: 'SnowflakeOptions', lease: 'LeaseOptions', layout: 'LayoutOptions' }

/** What an option that is an object is called in the declarations. */
const TYPE_OF_OBJECT = { logger: 'Logger', signal: 'AbortSignal', tls: 'TlsOptions' }

function typeOf({ kind, name, words }) {
  if (kind === 'object') return TYPE_OF_OBJECT[name]
  if (kind === 'choice') return words.map((word) => `'${word}'`).join(' | ')
  return TYPE_OF_KIND[kind]
}

const rows = (scope) => TABLES.options.filter((row) => row.scope === scope)
const names = (list) => list.map(({ name }) => name).sort()

for (const [path, text] of pages(TABLES)) {
  test(`${path} is what the tables say`, () => {
    assert.equal(read(path), text, `node scripts/docs.mjs writes ${path}`)
  })
}

test('the union of codes is the table of errors', () => {
  const codes = TABLES.errors.map(({ code }) => code)
  assert.deepEqual(unionOf(TYPES, 'MintIdErrorCode').sort(), codes.sort())
})

test('IdsOptions are the options of a store', () => {
  assert.deepEqual(names(fieldsOf(TYPES, 'IdsOptions')), names(rows('ids')))
})

for (const [scope, type] of Object.entries(SNOWFLAKES)) {
  test(`${type} are what the table has for them`, () => {
    assert.deepEqual(names(fieldsOf(TYPES, type)), names(rows(scope)))
  })
}

test('each policy has the options that it reads, and no others', () => {
  const common = fieldsOf(TYPES, 'SegmentCommonOptions')
  const { words } = rows('segment').find(({ name }) => name === 'policy')
  assert.deepEqual(Object.keys(POLICIES).sort(), words.toSorted())
  for (const [policy, type] of Object.entries(POLICIES)) {
    const own = fieldsOf(TYPES, type)
    const reads = rows('segment').filter(
      ({ policies }) => policies.length === 0 || policies.includes(policy),
    )
    assert.deepEqual(names([...common, ...own]), names(reads), type)
    assert.equal(own.find(({ name }) => name === 'policy').type, `'${policy}'`)
  }
})

test('each option has the type and the default that the table says', () => {
  const interfaces = {
    ids: ['IdsOptions'],
    segment: ['SegmentCommonOptions', ...Object.values(POLICIES)],
    ...Object.fromEntries(Object.entries(SNOWFLAKES).map(([scope, type]) => [scope, [type]])),
  }
  for (const [scope, types] of Object.entries(interfaces)) {
    for (const field of types.flatMap((type) => fieldsOf(TYPES, type))) {
      if (field.name === 'policy') continue
      const row = rows(scope).find(({ name }) => name === field.name)
      const { kind, fallback } = row
      assert.equal(field.type, typeOf(row), field.name)
      const isFixed = /^(\d+|true|false)$/.test(fallback) || ['choice', 'durability'].includes(kind)
      if (!isFixed) continue
      const value = /^\d/.test(fallback) ? asFigure(BigInt(fallback)) : `\`${fallback}\``
      assert.ok(field.doc.endsWith(`Default ${value}.`), `${field.name}: ${field.doc}`)
    }
  }
})

test('calls take the arguments that the table says', () => {
  const own = [...bodyOf(TYPES, 'SegmentGenerator').matchAll(/\b(\w+)\??: (number)\b/g)]
  const taken = [
    ...own.map(([, name, type]) => ({ name, type })),
    ...fieldsOf(TYPES, 'CallOptions').map(({ name, type }) => ({ name, type })),
  ]
  const byName = (one, other) => (one.name < other.name ? -1 : 1)
  assert.deepEqual(
    taken.sort(byName),
    rows('call')
      .map((row) => ({ name: row.name, type: typeOf(row) }))
      .sort(byName),
  )
})

for (const type of ['SegmentGenerator', 'SnowflakeGenerator']) {
  test(`every call of a ${type} that may wait takes a signal and a time limit`, () => {
    const methods = bodyOf(TYPES, type).matchAll(/^ {2}(\w+)(?:<[^>]*>)?\(([^)]*)\): Promise/gm)
    const without = [...methods].filter(([, , taken]) => !taken.includes('options?: CallOptions'))
    assert.deepEqual(
      without.map(([, name]) => name),
      ['close'],
    )
  })
}

test('the page of events has a row for each', () => {
  const told = fieldsOf(TYPES, 'MintIdEvents').map(({ name }) => name)
  const [, table] = /^\| event \|.*\n\| --- .*\n((?:\|.*\n)+)/m.exec(read('docs/events.md'))
  const listed = [...table.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name)
  assert.deepEqual(listed.sort(), told.sort())
})

for (const kind of ['redis7', 'valkey9']) {
  test(`the user of docs/production.md may do all that is needed, on ${kind}`, {
    skip: withoutServers,
  }, async (t) => {
    const own = await server(t, { kind, args: ['--appendonly', 'yes'] })
    const [line] = /^ACL SETUSER .*$/m.exec(read('docs/production.md'))
    // The page says that the older one does not know this command.
    const words = line.split(' ').filter((word) => kind !== 'redis7' || word !== '+waitaof')
    await own.call(...words)
    const url = own.url.replace('://', '://mintid:SECRET@')
    const durability = kind === 'redis7' ? 'none' : 'disk'
    const ids = await connect(url, { durability })
    t.after(() => ids.close())
    assert.equal(await ids.segment('orders').next(), 1n)
    assert.equal(await ids.floor('orders', 5_000n), true)
    assert.deepEqual(await ids.list(), [{ key: 'orders', value: 5_000n, sealed: false }])
    const { findings } = await ids.diagnose()
    assert.deepEqual(
      findings.filter(({ level }) => level === 'danger'),
      [],
    )
  })
}

for (const path of documents()) {
  test(`the links of ${path} lead somewhere`, () => {
    assert.deepEqual(deadLinks(path), [])
  })

  test(`the codes in ${path} are in the table`, () => {
    const known = new Set(TABLES.errors.map(({ code }) => code))
    const named = [...read(path).matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)]
      .map(([, code]) => code.replace(/^ERR_MINTID_/, ''))
      .filter((code) => ![...ENVIRONMENT, WITHOUT_ADDON].includes(code))
    assert.deepEqual(
      named.filter((code) => !known.has(`ERR_MINTID_${code}`)),
      [],
    )
  })

  for (const { info, code, line } of codeBlocks(read(path))) {
    if (info !== 'js run') continue
    test(`${path}:${line} prints what it says`, () => {
      const { status, lines, stderr } = run(code)
      assert.equal(status, 0, stderr)
      assert.deepEqual(lines, promised(code))
      assert.ok(lines.length > 0, 'it prints nothing, and so shows nothing')
    })
  }
}

test('the Rust in the documents is what the tests of the crate run', () => {
  const tested = new Set(rustDocs())
  const blocks = documents().flatMap((path) =>
    codeBlocks(read(path)).filter(({ info }) => info === 'rust'),
  )
  assert.ok(blocks.length > 0)
  for (const { code } of blocks) {
    const lines = code.split('\n').filter((line) => line !== '')
    assert.deepEqual(
      lines.filter((line) => !tested.has(line)),
      [],
    )
  }
})

for (const [what, of] of [
  ['code', (text) => codeBlocks(text).map(({ info, code }) => [info, code])],
  ['headings and tables', (text) => outline(text)],
  [
    'links',
    (text) =>
      links(text)
        .filter((target) => !target.startsWith('README'))
        .sort(),
  ],
  ['names in the prose', (text) => inlineCode(text).sort()],
]) {
  test(`the README in Chinese has the same ${what}`, () => {
    assert.ok(of(read('README.md')).length > 0)
    assert.deepEqual(of(read('README.zh.md')), of(read('README.md')))
  })
}

test('each README leads to the other', () => {
  assert.ok(links(read('README.md')).includes('README.zh.md'))
  assert.ok(links(read('README.zh.md')).includes('README.md'))
})
