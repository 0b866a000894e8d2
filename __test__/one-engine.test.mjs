// A store and a name stand for one engine in the process, whichever realm asks, and by whichever
// system of modules.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createIds } from 'mintid'
import { inWorker } from './support/elsewhere.mjs'
import { folderOf, storeOf } from './support/folder.mjs'
import { assertAddsUp, assertDistinct, assertGrowing } from './support/ids.mjs'

const required = createRequire(import.meta.url)('mintid')

/** In a worker: mints `count` ids in a manner of its own. */
async function mint({ createIds }, { url, count }) {
  const orders = createIds(url).segment('orders')
  const minted = new BigUint64Array(count)
  for (let at = 0; at < count / 2; at++) minted[at] = await orders.next()
  await orders.fill(minted.subarray(count / 2))
  await orders.close()
  return minted
}

test('two stores of one file are one engine with one block', async (t) => {
  const { url } = storeOf(t)
  const [one, other] = [createIds(url), required.createIds(url)]
  const generators = [one.segment('orders', { step: 10 }), other.segment('orders')]
  const minted = []
  for (let i = 0; i < 200; i++) minted.push(await generators[i % 2].next())
  assert.deepEqual(
    minted,
    Array.from(minted, (_, i) => BigInt(i + 1)),
  )
  for (const generator of generators) assert.equal(generator.stats().issued, 200)
  await Promise.all([one.close(), other.close()])
})

test('two callers who come at once get one engine', async (t) => {
  const { url } = storeOf(t)
  const stores = Array.from({ length: 20 }, () => createIds(url))
  const calls = stores.map((ids) => ids.segment('orders').next())
  assertGrowing(await Promise.all(calls))
  assert.equal(stores[0].segment('orders').stats().refills, 1)
  await Promise.all(stores.map((ids) => ids.close()))
})

test('worker threads share the engine, and so its reservations', async (t) => {
  const { url } = storeOf(t)
  const ids = createIds(url)
  const orders = ids.segment('orders', { policy: 'fixed', step: 1000 })
  const count = 20_000
  const workers = Array.from({ length: 4 }, () => inWorker(mint, { url, count }))
  const minted = await Promise.all(workers.map(({ result }) => result))
  for (const ids of minted) assertGrowing(ids)
  const all = minted.flatMap((ids) => [...ids])
  assert.equal(all.length, 4 * count)
  assertDistinct(all)
  const stats = orders.stats()
  // The counts of this thread hold the work of all, and no thread reserved for itself alone.
  assert.equal(stats.issued, 4 * count)
  assert.equal(stats.reserved, stats.refills * 1000)
  assert.ok(stats.refills <= (4 * count) / 1000 + 10, `${stats.refills} refills`)
  assertAddsUp(stats)
  await ids.close()
})

test('memory: is private to its call, and memory:NAME shared by every realm', async () => {
  const private_ = [createIds('memory:'), createIds('memory:')]
  for (const ids of private_) assert.equal(await ids.segment('orders').next(), 1n)
  for (const ids of private_) assert.equal(await ids.segment('orders').next(), 2n)

  const url = 'memory:shared'
  const orders = createIds(url).segment('orders')
  const here = await orders.nextBatch(10)
  const there = await inWorker(mint, { url, count: 10 }).result
  const required_ = await required.createIds(url).segment('orders').nextBatch(10)
  assertDistinct([...here, ...there, ...required_])
  assert.equal(orders.stats().issued, 30)
})

test('one store has many engines, by name and by namespace', async (t) => {
  const { url } = storeOf(t)
  const [plain, shop] = [createIds(url), createIds(url, { namespace: 'shop' })]
  const all = [plain.segment('orders'), plain.segment('bills'), shop.segment('orders')]
  for (const generator of all) assert.equal(await generator.next(), 1n)
  for (const generator of all) assert.equal(generator.stats().issued, 1)
  await Promise.all([plain.close(), shop.close()])
})

test('generators of two copies of the package are not taken for each other', async (t) => {
  // As where two dependencies of an application bring the package along, each its own.
  const copy = join(folderOf(t), 'node_modules', 'mintid')
  const original = dirname(fileURLToPath(import.meta.resolve('mintid/package.json')))
  const isInPackage = (path) => /(dist|\.m?js|\.cjs|\.json|\.node)$/.test(path)
  mkdirSync(copy, { recursive: true })
  for (const name of readdirSync(original).filter(isInPackage)) {
    cpSync(join(original, name), join(copy, name), { recursive: true })
  }
  const other = createRequire(join(copy, 'index.js'))(copy)
  assert.notEqual(other.createIds, createIds)
  const names = Array.from({ length: 50 }, (_, i) => `generator ${i}`)
  const here = names.map((name) => createIds('memory:').segment(name, { initialOffset: 1 }))
  const there = names.map((name) =>
    other.createIds('memory:').segment(name, { initialOffset: 1000 }),
  )
  for (const generator of here) assert.equal(await generator.next(), 1n)
  for (const generator of there) assert.equal(await generator.next(), 1000n)
})

test('the ids that a realm still held when it ended are counted as wasted', async (t) => {
  const { url } = storeOf(t)
  const ids = createIds(url)
  const orders = ids.segment('orders')
  const take = async ({ createIds }, { url }, port) => {
    const orders = createIds(url).segment('orders')
    await orders.next()
    port.postMessage('took one')
    // Keeps the realm alive until it is closed or terminated from outside.
    await new Promise((resolve) => port.once('message', resolve))
    await orders.close()
  }
  for (const [end, issued] of [
    [(worker) => worker.postMessage('close'), 1],
    // What a terminated realm has handed out since its last call is not known: it counts as lost.
    [(worker) => worker.terminate(), 0],
  ]) {
    const before = orders.stats()
    const { worker } = inWorker(take, { url })
    await once(worker, 'message')
    const gone = once(worker, 'exit')
    end(worker)
    await gone
    const after = orders.stats()
    assert.ok(after.wasted > before.wasted, 'the rest of the block')
    assert.equal(after.issued - before.issued, issued)
    assertAddsUp(after)
  }
  await ids.close()
})
