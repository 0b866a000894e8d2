// The rooms of the code and what each may touch, held against manifests, imports and source text:
// core decides, stores remember, engine moves, src translates, js serves.
// Whatever crosses a wall is one visible line in the tables that follow.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { PLATFORMS } from '../scripts/platforms.mjs'

/** What each crate depends on, no more and no less; `tests` are for its own tests alone. */
const CRATES = {
  'mintid-core': {
    uses: ['arc-swap', 'loom', 'parking_lot', 'thiserror'],
    tests: ['proptest'],
  },
  'mintid-stores': {
    uses: [
      'fastrand',
      'fred',
      'mintid-core',
      'parking_lot',
      'percent-encoding',
      'rustix',
      'sqlx',
      'tokio',
      'url',
    ],
    tests: ['proptest', 'tokio'],
  },
  mintid: {
    uses: [
      'arc-swap',
      'fastrand',
      'mintid-core',
      'mintid-stores',
      'parking_lot',
      'rustix',
      'tokio',
    ],
    tests: ['tokio'],
  },
  'mintid-node': {
    uses: ['mintid', 'napi', 'napi-derive', 'parking_lot', 'tokio'],
    builds: ['napi-build'],
  },
}

/** napi's own runtime and its features of newer Node versions stay off. */
const NAPI_FEATURES = ['dyn-symbols', 'napi6']

/** The folders of crates/stores/src: a store with its one driver, or what all stores share. */
const STORE_FOLDERS = {
  memory: { isStore: true },
  sqlite: { isStore: true, driver: 'sqlx' },
  redis: { isStore: true, driver: 'fred' },
  contract: { isStore: false },
  faulty: { isStore: false },
  grant: { isStore: false },
  lease_contract: { isStore: false },
  lease_grant: { isStore: false },
}

/**
 * A server has to be kept connected while nobody asks: the Redis store has a task for the driver's
 * connection and one that makes it anew. They end when the store is closed or dropped.
 */
const KEEP_CONNECTED = ['crates/stores/src/redis/connection.rs', 'crates/stores/src/redis/link.rs']

/** The packages that hold the addon, one per target of the napi CLI. */
const ADDONS = PLATFORMS.map((platform) => platform.package)

/** What may be imported: whole names, or paths that lead into a folder or to a file. */
const IMPORTS = {
  js: {
    packages: ['node:*'],
    // The declarations of the addon are written when it is built.
    paths: ['js/', 'binding.cjs', 'index.js', 'testing.js', 'package.json'],
  },
  'js/addon': {
    packages: ['node:*', ...ADDONS],
    paths: ['js/addon/', 'js/manifest.js'],
  },
  'js/http': { packages: [], paths: ['js/http/', 'js/errors.js', 'js/nearest.js'] },
  ...frameworks(['express', 'fastify', 'nest']),
  'js/cli': {
    packages: ['node:*'],
    paths: ['js/cli/', 'js/index.js', 'js/manifest.js', 'js/nearest.js', 'index.js'],
  },
  __test__: {
    packages: [
      'node:*',
      'mintid',
      '@napi-rs/cli',
      '@nestjs',
      'express',
      'express4',
      'fastify',
      'rxjs',
    ],
    paths: ['__test__/', 'scripts/'],
  },
  bench: { packages: ['node:*', 'mintid'], paths: ['bench/', 'scripts/'] },
  examples: {
    packages: ['node:*', 'mintid', 'express', 'fastify', 'vitest', '@nestjs', 'reflect-metadata'],
    // Servers, which examples start as tests do.
    paths: ['examples/', '__test__/support/servers.mjs', 'scripts/folder.mjs'],
  },
}

/** A framework stands on the public package, and on what the others of its kind stand on. */
function frameworks(names) {
  const packages = { express: ['express'], fastify: ['fastify'], nest: ['@nestjs', 'rxjs'] }
  const shared = ['js/index.js', 'js/http/', 'index.js']
  return Object.fromEntries(
    names.map((name) => [
      `js/${name}`,
      {
        packages: ['node:*', ...packages[name]],
        paths: [`js/${name}/`, `${name}.js`, `${name}/`, ...shared],
      },
    ]),
  )
}

const SQL = /\b(SELECT|INSERT INTO|UPDATE|DELETE FROM|PRAGMA|CREATE TABLE)\b|redis\.call/

/** What a room never holds. `planted` is a line that must be found out. */
const NEVER = [
  // core: pure and synchronous.
  never('crates/core', 'tokio', /\btokio\b/, 'use tokio::sync::Notify;'),
  never('crates/core', 'napi', /\bnapi\w*::/, 'use napi::Env;'),
  never('crates/core', 'a driver', /\b(sqlx|rusqlite|fred)\b/, 'use sqlx::Row;'),
  never('crates/core', 'a wall clock', /\b(SystemTime|Instant)::now\b/, 'let t = Instant::now();'),
  never('crates/core', 'files', /\bstd::(fs|io)\b|\bFile::/, 'use std::fs::File;'),
  never('crates/core', 'sockets', /\bstd::(net|os)\b/, 'use std::net::TcpStream;'),
  never('crates/core', 'output', /\b(e?print(ln)?|dbg)!/, 'println!("drawn");'),
  never('crates/core', 'SQL', SQL, 'const GET: &str = "SELECT value FROM ids";'),
  // stores: they remember, and set nothing in motion.
  never(
    'crates/stores',
    'a task or thread',
    /\b(?<!\.)spawn\b/,
    'tokio::spawn(renew());',
    KEEP_CONNECTED,
  ),
  never('crates/stores', 'a task or thread', /\.spawn\(/, 'Builder::new().spawn(renew)'),
  never('crates/stores', 'napi', /\bnapi\w*::/, 'use napi::Env;'),
  never('crates/stores/src/memory', 'spawn_blocking', /spawn_blocking/, 'spawn_blocking(lock);'),
  // engine: it moves, whatever the store.
  never('crates/engine', 'SQL', SQL, 'let sql = "DELETE FROM ids";'),
  never('crates/engine', 'napi', /\bnapi\w*::/, 'use napi::Env;'),
  never(
    'crates/engine',
    'a driver by name, outside open.rs',
    /\b(sqlx|rusqlite|fred)\b|\b(sqlite|redis)::|\b(Sqlite|Redis)\w*/,
    'use mintid_stores::sqlite::SqliteStore;',
    'crates/engine/src/open.rs',
  ),
  // src: it translates.
  never('src', 'Ordering', /\bOrdering\b/, 'next.load(Ordering::Relaxed)'),
  never('src', 'SQL', SQL, 'let sql = "PRAGMA journal_mode";'),
  never('src', 'async fn under #[napi]', napiAsync(), '#[napi]\n  pub async fn next(&self) {}'),
  never('src', 'external arrays', /from_external/, 'Buffer::from_external(env, ids)'),
  never('src', 'arrays made in Rust', /BigUint64Array::(new|from)\b/, 'BigUint64Array::new(ids)'),
  never('src', 'a store', /\bmintid_stores\b/, 'use mintid_stores::memory::MemoryStore;'),
  // js: it serves; the ids it holds are in one place.
  never(
    'js',
    'ids, outside block.ts and snowflake-block.ts',
    /^ *(?:(?:private|readonly|static) +)+\w+.*\bBigUint64Array\b|^ *#\w+ *(?::|=).*\bBigUint64Array\b|^(?:const|let) \w+.*new BigUint64Array/,
    '  #ids = new BigUint64Array(16)',
    ['js/block.ts', 'js/snowflake-block.ts'],
  ),
  never('js', 'option types of its own', /interface \w*Options\b/, 'interface IdsOptions {}'),
]

/** Tests of a crate may start threads and look into stores, to judge them from outside. */
const RUST_TESTS = /\/tests?(\/|\.rs$)|\/(lease_)?contract(\/|\.rs$)|\/loom_\w+\.rs$/

function never(room, what, pattern, planted, except) {
  return { room, what, pattern, planted, except }
}

function napiAsync() {
  return /#\[napi[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:pub(?:\([^)]*\))?\s+)?(?:unsafe\s+)?async\s+fn/
}

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const SELF = '__test__/rooms.test.mjs'

/** What is wrong with one file. */
function complaintsOf({ path, text }) {
  const code = withoutComments(path, text)
  return [
    ...heldBy(path, code),
    ...otherStores(path, code),
    ...imported(path, code),
    ...declarationsAsValues(path, code),
  ]
}

function heldBy(path, code) {
  return NEVER.filter(
    ({ room, except }) => path.startsWith(`${room}/`) && ![except].flat().includes(path),
  )
    .filter(({ room }) => room === 'crates/core' || !RUST_TESTS.test(path))
    .flatMap(({ room, what, pattern }) =>
      linesOf(code, pattern).map((line) => `${path}:${line}: ${room} never holds ${what}`),
    )
}

/** The folder of one store knows nothing of another, nor of its driver. */
function otherStores(path, code) {
  const [, own] = /^crates\/stores\/src\/(\w+)\//.exec(path) ?? []
  if (!STORE_FOLDERS[own]?.isStore) return []
  const others = Object.entries(STORE_FOLDERS).filter(([name]) => name !== own)
  return others
    .filter(([, { isStore }]) => isStore)
    .flatMap(([name, { driver }]) => [`\\b(?:crate|super)::${name}\\b`, driver && `\\b${driver}::`])
    .filter(Boolean)
    .flatMap((word) =>
      linesOf(code, new RegExp(word)).map((line) => `${path}:${line}: ${own} knows another store`),
    )
}

function imported(path, code) {
  const room = roomOf(path)
  if (room === undefined) return []
  const specifiers = code.matchAll(/\b(?:from|import|require)\b\s*\(?\s*(['"`])([^'"`\n]+)\1/g)
  return (
    [...specifiers]
      .map(([, , specifier]) => specifier)
      // A name that is only known at run time belongs to a program written by a test.
      .filter(
        (specifier) => !specifier.includes('${') && !mayImport(IMPORTS[room], path, specifier),
      )
      .map((specifier) => `${path}: ${room} may not import ${specifier}`)
  )
}

/** What lies beside js/ are declarations: nothing is behind them when a program runs. */
function declarationsAsValues(path, code) {
  if (!path.startsWith('js/')) return []
  const values = [...code.matchAll(/\bimport (?!type\b)[^'\n]*'(\.[^'\n]*\.js)'/g)]
  return values
    .filter(([, specifier]) => !targetOf(path, specifier).includes('/'))
    .map(([, specifier]) => `${path}: js takes no value from the declarations in ${specifier}`)
}

/** The innermost room that a file lies in. */
function roomOf(path) {
  const rooms = Object.keys(IMPORTS).filter((room) => path.startsWith(`${room}/`))
  return rooms.sort((a, b) => b.length - a.length)[0]
}

function mayImport({ packages, paths }, path, specifier) {
  if (specifier.startsWith('.')) {
    const target = targetOf(path, specifier)
    return paths.some(
      (allowed) => target === allowed || (allowed.endsWith('/') && target.startsWith(allowed)),
    )
  }
  return packages.some((allowed) =>
    allowed.endsWith('*')
      ? specifier.startsWith(allowed.slice(0, -1))
      : specifier === allowed || specifier.startsWith(`${allowed}/`),
  )
}

const targetOf = (path, specifier) => posix.normalize(posix.join(posix.dirname(path), specifier))

/** Blanks comments and keeps strings and lines. `/` may open a comment only outside of strings. */
function withoutComments(path, text) {
  const comment = /\/\/[^\n]*|\/\*[\s\S]*?\*\//
  const rust = /r(#*)"[\s\S]*?"\1|b?"(?:\\[\s\S]|[^"\\])*"|b?'(?:\\[^\n]|[^'\\\n])'/
  const script = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\[\s\S]|[^`\\])*`/
  const strings = path.endsWith('.rs') ? rust : script
  return text.replace(
    new RegExp(`${strings.source}|(?<comment>${comment.source})`, 'g'),
    (...match) => (match.at(-1).comment === undefined ? match[0] : match[0].replace(/[^\n]/g, ' ')),
  )
}

/** The numbers of the lines on which a pattern begins. */
function linesOf(code, pattern) {
  return [...code.matchAll(new RegExp(pattern.source, 'gm'))].map(
    ({ index }) => code.slice(0, index).split('\n').length,
  )
}

/** What is wrong with the dependencies of one crate, as `cargo metadata` tells them. */
function dependencyComplaints({ name, dependencies }) {
  const row = CRATES[name]
  if (row === undefined) return [`${name} is not in the table of crates`]
  const kinds = [
    ['uses', null],
    ['tests', 'dev'],
    ['builds', 'build'],
  ]
  return kinds.flatMap(([column, kind]) => {
    const found = dependencies.filter((each) => each.kind === kind).map((each) => each.name)
    const allowed = row[column] ?? []
    return [
      ...found
        .filter((each) => !allowed.includes(each))
        .map((each) => `${name} may not use ${each}`),
      ...allowed
        .filter((each) => !found.includes(each))
        .map((each) => `${name} no longer uses ${each}`),
    ]
  })
}

function packages() {
  const arguments_ = ['metadata', '--no-deps', '--format-version', '1', '--offline']
  const options = { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 26 }
  return JSON.parse(execFileSync('cargo', arguments_, options)).packages
}

function sources() {
  const folders = ['crates/core/src', 'crates/stores/src', 'crates/engine/src', 'src']
  return (
    [...folders, ...Object.keys(IMPORTS)]
      .filter((folder) => existsSync(`${ROOT}${folder}`))
      .flatMap((folder) =>
        readdirSync(`${ROOT}${folder}`, { recursive: true }).map((name) =>
          posix.join(folder, name),
        ),
      )
      .filter((path) => /\.(rs|[cm]?[jt]s)$/.test(path) && !path.includes('node_modules'))
      // This file holds examples of what is forbidden.
      .filter((path) => path !== SELF)
      .map((path) => ({ path, text: readFileSync(`${ROOT}${path}`, 'utf8') }))
  )
}

test('every crate depends on what its row says', () => {
  const found = packages()
  assert.deepEqual(found.flatMap(dependencyComplaints), [])
  assert.deepEqual(found.map(({ name }) => name).sort(), Object.keys(CRATES).sort())
})

test('napi has no features but those chosen', () => {
  const addon = packages().find(({ name }) => name === 'mintid-node')
  const napi = addon.dependencies.find(({ name }) => name === 'napi')
  assert.deepEqual(napi.features.toSorted(), NAPI_FEATURES)
  assert.equal(napi.uses_default_features, false)
})

test('every folder of the stores is in the table', () => {
  const folders = readdirSync(`${ROOT}crates/stores/src`, { withFileTypes: true })
  const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  assert.deepEqual(names.sort(), Object.keys(STORE_FOLDERS).sort())
})

test('no room holds what it must not', () => {
  const files = sources()
  assert.ok(files.length > 0)
  assert.deepEqual(files.flatMap(complaintsOf), [])
})

test('a dependency that is not in the table is found out', () => {
  const dependencies = [...CRATES['mintid-core'].uses, 'tokio'].map((name) => ({
    name,
    kind: null,
  }))
  const tests = { name: 'proptest', kind: 'dev' }
  assert.deepEqual(
    dependencyComplaints({ name: 'mintid-core', dependencies: [...dependencies, tests] }),
    ['mintid-core may not use tokio'],
  )
})

for (const { room, what, planted } of NEVER) {
  test(`${what} in ${room} is found out, and in a comment is not`, () => {
    const path =
      room === 'js' ? 'js/planted.ts' : `${room.replace(/(crates\/\w+)$/, '$1/src')}/planted.rs`
    const expected = `${path}:2: ${room} never holds ${what}`
    assert.ok(complaintsOf({ path, text: `\n${planted}\n` }).includes(expected))
    assert.deepEqual(complaintsOf({ path, text: `\n/* ${planted} */\n` }), [])
  })
}

for (const [path, text] of [
  ['crates/stores/src/memory/planted.rs', 'use crate::sqlite::Place;'],
  ['crates/stores/src/memory/planted.rs', 'use sqlx::Row;'],
  ['crates/stores/src/sqlite/planted.rs', 'use crate::memory::MemoryStore;'],
  ['js/planted.ts', "import { createClient } from 'redis'"],
  ['js/planted.ts', "const addon = require('../mintid.linux-x64-gnu.node')"],
  ['js/planted.ts', "import { MintIdError } from '../index.js'"],
  ['js/express/planted.ts', "import { MintIdError } from '../../index.js'"],
  ['js/express/planted.ts', "import { Block } from '../block.js'"],
  ['js/express/planted.ts', "import { FastifyError } from 'fastify'"],
  ['js/cli/planted.ts', "import { Block } from '../block.js'"],
  ['__test__/planted.test.mjs', "import { Block } from '../dist/mintid.js'"],
  ['__test__/planted.test.mjs', "const addon = require('../mintid.linux-x64-gnu.node')"],
  ['js/addon/planted.ts', "import { blocks } from '../state.js'"],
  ['js/addon/planted.ts', "const addon = require('mintid-linux-x64')"],
  ['examples/express/planted.mjs', "import { createIds } from '../../index.js'"],
  ['bench/planted.mjs', "const { Block } = await import('../js/block.ts')"],
]) {
  test(`${text} in ${path} is found out`, () => {
    assert.equal(complaintsOf({ path, text }).length, 1)
  })
}

test('a comment inside a string is text, and a string inside a comment is not', () => {
  const text = 'let url = "redis://host"; let slash = \'"\'; tokio::spawn(x); // "tokio::spawn'
  assert.equal(complaintsOf({ path: 'crates/core/src/planted.rs', text }).length, 1)
})
