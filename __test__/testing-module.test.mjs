// `mintid/testing` as a module: one implementation with the package, in every realm.

import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { Ids } from 'mintid'
import * as imported from 'mintid/testing'

const require = createRequire(import.meta.url)

test('import and require give the same function', () => {
  const required = require('mintid/testing')
  assert.deepEqual(Object.keys(imported), ['createTestIds'])
  assert.deepEqual(Object.keys(required), ['createTestIds'])
  assert.equal(imported.createTestIds, required.createTestIds)
})

test('its ids are the ids of the package', async () => {
  const { ids } = imported.createTestIds()
  assert.ok(ids instanceof Ids)
  await ids.close()
})

test('store and clock show no inside', () => {
  const { store, clock } = imported.createTestIds()
  assert.deepEqual([Object.keys(store), Object.keys(clock)], [[], []])
})

test('it works in a worker thread', async () => {
  const source = `
    const { parentPort } = require('node:worker_threads')
    const { createTestIds } = require(${JSON.stringify(require.resolve('mintid/testing'))})
    const { ids, store, clock } = createTestIds()
    const orders = ids.segment('orders')
    store.failNext()
    orders.next()
      .catch(() => clock.advance(100))
      .then(() => orders.next())
      .then((id) => parentPort.postMessage({ id, now: clock.now() }))`
  const worker = new Worker(source, { eval: true })
  const told = await new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  assert.deepEqual(told, { id: 1n, now: 100 })
  await worker.terminate()
})
