// ES module and CommonJS in one process: every entry point gives both the same objects, and two
// copies of the package, as an application and its dependency may have them, mint from one state.

import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import * as imported from 'mintid'

const require = createRequire(import.meta.url)
const manifest = require('mintid/package.json')

for (const path of Object.keys(manifest.exports)) {
  if (path.endsWith('.json')) continue
  const specifier = `mintid${path.slice(1)}`
  if (lacksFramework(specifier)) continue
  const [esm, cjs] = [await import(specifier), require(specifier)]
  assert.deepEqual(Object.keys(esm).sort(), Object.keys(cjs).sort(), specifier)
  for (const [name, value] of Object.entries(esm)) {
    assert.equal(value, cjs[name], `${specifier}: ${name}`)
  }
}

/** Whether an entry point stands on an optional peer, none of which is installed here. */
function lacksFramework(specifier) {
  try {
    require(specifier)
    return false
  } catch ({ code, message }) {
    const peers = Object.keys(manifest.peerDependencies)
    return code === 'MODULE_NOT_FOUND' && peers.some((name) => message.includes(`'${name}'`))
  }
}

cpSync('node_modules/mintid', 'node_modules/dependency/node_modules/mintid', { recursive: true })
const copied = createRequire(resolve('node_modules/dependency/index.cjs'))('mintid')

const makers = [imported, require('mintid'), copied]
assert.notEqual(copied.createIds, imported.createIds)

const minted = {}
for (const [store, url] of Object.entries({ memory: 'memory:shop', sqlite: process.argv[2] })) {
  const stores = makers.map(({ createIds }) => createIds(url))
  const generators = stores.map((ids) => ids.segment('orders'))
  const ids = []
  for (let round = 0; round < 2; round++) {
    for (const orders of generators) ids.push(await orders.next())
  }
  for (const [i, id] of ids.entries()) assert.equal(id, ids[0] + BigInt(i), `${url}: ${ids}`)
  minted[store] = ids.map(String)
  for (const ids of stores) await ids.close()
}
console.log(JSON.stringify(minted))
