// What goes wrong with worker threads that come and go, and with generators that do.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { createIds } from 'mintid'
import { inProcess, inWorker } from './support/elsewhere.mjs'
import { storeOf } from './support/folder.mjs'
import { huge, isWhole } from './support/huge.mjs'
import { assertAddsUp, assertDistinct, assertGrowing } from './support/ids.mjs'

const SLOW = new URL('support/slow-store-worker.mjs', import.meta.url)
/** In one process. */
const WORKERS = 10

/** In a worker: mints into shared memory, and says when it is halfway. */
async function mint({ createIds }, { url, minted, isEndless }, port) {
  const orders = createIds(url).segment('orders')
  for (let at = 0; at < minted.length || isEndless; at++) {
    const id = await orders.next()
    // A worker without end mints on until it is terminated, and what did not fit is lost with it.
    if (at < minted.length) minted[at] = id
    if (at === minted.length / 2) port.postMessage('halfway')
  }
  await orders.close()
}

test('worker threads that are terminated midway leave the others their ids (case 98)', async (t) => {
  const { url } = storeOf(t)
  const ids = createIds(url)
  const orders = ids.segment('orders', { policy: 'fixed', step: 1_000 })
  const count = huge(500_000)
  const bytes = BigUint64Array.BYTES_PER_ELEMENT * count
  const workers = Array.from({ length: 8 }, (_, i) => {
    const minted = new BigUint64Array(new SharedArrayBuffer(bytes))
    const isEndless = i % 2 === 0
    return { minted, isEndless, ...inWorker(mint, { url, minted, isEndless }) }
  })
  const doomed = workers.filter(({ isEndless }) => isEndless)
  await Promise.all(
    doomed.map(async ({ worker }) => {
      await once(worker, 'message')
      await worker.terminate()
    }),
  )
  await Promise.all(workers.map(({ result }) => result))

  const all = workers.flatMap(({ minted, isEndless }) => {
    const known = minted.filter((id) => id > 0n)
    assertGrowing(known)
    if (isEndless) assert.ok(known.length > count / 2)
    else assert.equal(known.length, count)
    return [...known]
  })
  assertDistinct(all)
  // The engine of this thread has reserved for all of them: no id lies beyond.
  const stats = orders.stats()
  assertAddsUp(stats)
  assert.equal(stats.reserved, stats.refills * 1_000)
  assert.ok(all.every((id) => id <= stats.reserved))
  await ids.close()
})

/** In a process: terminates workers that listen and wait for a store of their own. */
async function endListening(_, { workers, slow }) {
  const { Worker } = await import('node:worker_threads')
  const { once } = await import('node:events')
  const end = async () => {
    const worker = new Worker(new URL(slow), { execArgv: [] })
    const exited = once(worker, 'exit')
    await once(worker, 'message')
    worker.terminate()
    return (await exited)[0]
  }
  console.log(new Set(await Promise.all(Array.from({ length: workers }, end))))
}

test('workers that are terminated while they listen and wait end no process (case 99)', async () => {
  for (let left = huge(500); left > 0; left -= WORKERS) {
    const data = { workers: WORKERS, slow: SLOW.href }
    const { code, signal, stdout, stderr } = await inProcess(endListening, data)
    assert.deepEqual({ code, signal, stderr }, { code: 0, signal: null, stderr: '' })
    assert.equal(stdout, 'Set(1) { 1 }\n')
  }
})

/** In a process: by how much its memory grows while generators come and go, in MB. */
async function growth({ createIds }, { generators }) {
  const { setFlagsFromString } = await import('node:v8')
  const { runInNewContext } = await import('node:vm')
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc')
  const ids = createIds('memory:')
  const use = async (generators) => {
    for (let i = 0; i < generators; i++) {
      const orders = ids.segment(`orders ${i % 100}`)
      orders.on('refill', () => {}).on('close', () => {})
      await orders.next()
      await orders.close()
    }
    for (let i = 0; i < 5; i++) {
      collect()
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    const { rss, heapUsed } = process.memoryUsage()
    return { rss, heap: heapUsed }
  }
  // What the allocators keep for later grows with each collection for a while.
  let before
  for (let round = 0; round < 10; round++) before = await use(generators)
  const after = await use(generators)
  const grown = (name) => (after[name] - before[name]) / 2 ** 20
  console.log(JSON.stringify({ rss: grown('rss'), heap: grown('heap') }))
}

test('generators that come and go leave nothing behind (case 100)', async () => {
  const { code, stdout, stderr } = await inProcess(growth, { generators: isWhole ? 10_000 : 1_000 })
  assert.equal(code, 0, stderr)
  const { rss, heap } = JSON.parse(stdout)
  assert.ok(rss < 5, `${rss} MB more in all`)
  assert.ok(heap < 1, `${heap} MB more in the heap`)
})
