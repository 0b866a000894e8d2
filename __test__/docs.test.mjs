// The documents, the type declarations and the tables of the addon say the same, and what the
// documents show is what happens.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asFigure, pages, readTables } from '../scripts/docs.mjs'
import {
  bodyOf,
  codeBlocks,
  deadLinks,
  documents,
  fieldsOf,
  promised,
  read,
  run,
  unionOf,
} from './support/docs.mjs'

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
  ms: 'number',
  flag: 'boolean',
  text: 'string',
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
  }
  for (const [scope, types] of Object.entries(interfaces)) {
    for (const field of types.flatMap((type) => fieldsOf(TYPES, type))) {
      if (field.name === 'policy') continue
      const { kind, fallback } = rows(scope).find(({ name }) => name === field.name)
      assert.equal(field.type, TYPE_OF_KIND[kind], field.name)
      const isFixed = /^(\d+|true|false)$/.test(fallback)
      if (!isFixed) continue
      const value = kind === 'flag' ? `\`${fallback}\`` : asFigure(BigInt(fallback))
      assert.ok(field.doc.endsWith(`Default ${value}.`), `${field.name}: ${field.doc}`)
    }
  }
})

test('calls take the arguments that the table says', () => {
  const taken = [...bodyOf(TYPES, 'SegmentGenerator').matchAll(/(\w+)\??: number\b/g)]
  assert.deepEqual(taken.map(([, name]) => name).sort(), names(rows('call')))
})

for (const path of documents()) {
  test(`the links of ${path} lead somewhere`, () => {
    assert.deepEqual(deadLinks(path), [])
  })

  test(`the codes in ${path} are in the table`, () => {
    const known = new Set(TABLES.errors.map(({ code }) => code))
    const named = [...read(path).matchAll(/`([A-Z]+(?:_[A-Z]+)+)`/g)]
      .map(([, code]) => code.replace(/^ERR_MINTID_/, ''))
      .filter((code) => code !== 'MINTID_URL')
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

test('the Rust of the README is what the tests of the crate run', () => {
  const tested = read('crates/engine/src/lib.rs')
    .split('\n')
    .filter((line) => line.startsWith('//! '))
    .map((line) => line.slice('//! '.length))
  const blocks = codeBlocks(read('README.md')).filter(({ info }) => info === 'rust')
  assert.ok(blocks.length > 0)
  for (const { code } of blocks) {
    const lines = code.split('\n').filter((line) => line !== '')
    assert.deepEqual(
      lines.filter((line) => !tested.includes(line)),
      [],
    )
  }
})
