// The package as a module: one implementation for both systems, and a guest that leaves no trace.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import * as imported from 'mintid'

const require = createRequire(import.meta.url)
const EXPORTS = [
  'Ids',
  'KvId',
  'LoadedIds',
  'MintIdError',
  'connect',
  'createIds',
  'defineConfig',
  'idJsonSchema',
  'init',
  'load',
  'parseId',
  'toSafeNumber',
  'verifyRangeStore',
]

test('import and require give the same functions', () => {
  const required = require('mintid')
  assert.deepEqual(Object.keys(imported).sort(), EXPORTS)
  assert.deepEqual(Object.keys(required).sort(), EXPORTS)
  for (const [name, value] of Object.entries(imported)) {
    assert.equal(typeof value, name === 'idJsonSchema' ? 'object' : 'function')
    assert.equal(value, required[name])
  }
})

test('the classes are those of what the functions give', () => {
  const ids = require('mintid').createIds('memory:')
  assert.ok(ids instanceof imported.Ids)
  assert.throws(() => imported.createIds(''), imported.MintIdError)
})

test('nothing but the package and its manifest can be reached', () => {
  assert.equal(require('mintid/package.json').name, 'mintid')
  for (const path of ['dist/index.js', 'dist/mintid.js', 'index.d.ts']) {
    assert.throws(() => require(`mintid/${path}`), { code: 'ERR_PACKAGE_PATH_NOT_EXPORTED' }, path)
  }
})

test('a store does not show its password, and neither shows its inside', async () => {
  const ids = imported.createIds('memory:')
  const orders = ids.segment('orders')
  assert.deepEqual(Object.keys(ids), ['store'])
  assert.deepEqual(Object.keys(orders), ['name'])
  assert.equal(JSON.stringify(orders), '{"name":"orders"}')
})

test('ids are bigints, and go over the wire as text alone', async () => {
  const orders = imported.createIds('memory:').segment('orders')
  const id = await orders.next()
  assert.equal(typeof id, 'bigint')
  assert.throws(() => JSON.stringify({ id }), TypeError)
  assert.equal(JSON.stringify({ id: String(id) }), '{"id":"1"}')
})

/** In a process that has not imported the package: what it adds to the objects of the language. */
async function look() {
  const keys = (object) => Reflect.ownKeys(object).map(String)
  const shared = [
    BigInt,
    BigInt.prototype,
    JSON,
    Promise,
    Promise.prototype,
    Error,
    Array.prototype,
  ]
  const now = () => [globalThis, ...shared].map(keys)
  const before = now()
  const listeners = process.eventNames()
  const { createIds } = await import('mintid')
  await createIds('memory:').segment('orders').next()
  console.log(now().flatMap((keys, i) => keys.filter((key) => !before[i].includes(key))))
  console.log(process.eventNames().filter((name) => !listeners.includes(name)))
}

test('importing and using the package changes nothing that was there', () => {
  const source = `(${look})()`
  const written = execFileSync(process.execPath, ['--input-type=module', '--eval', source], {
    cwd: new URL('..', import.meta.url),
    encoding: 'utf8',
  })
  assert.equal(written, "[ 'Symbol(mintid)' ]\n[]\n")
})
