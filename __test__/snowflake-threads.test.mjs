// One machine number and one sequence per process, whatever thread mints; another number for each
// process.

import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { createIds } from 'mintid'
import { inProcess, inWorker } from './support/elsewhere.mjs'
import { storeOf } from './support/folder.mjs'
import { assertDistinct, assertGrowing } from './support/ids.mjs'

const required = createRequire(import.meta.url)('mintid')

/** In a worker: mints `count` ids by turns in each of the ways there are. */
async function mint({ createIds }, { url, count }) {
  const ids = createIds(url)
  const events = ids.snowflake('events')
  await events.ready()
  const minted = []
  while (minted.length < count) {
    for (let i = 0; i < 500; i++) minted.push(await events.next())
    minted.push(...(await events.nextBatch(500)))
  }
  const { machine } = events
  await ids.close()
  return { machine, minted }
}

/** In a process: mints in several threads and prints the numbers and how many ids there are. */
async function mintInThreads({ createIds }, { url, threads, count, mint }) {
  const { Worker } = await import('node:worker_threads')
  const source = `
    import { parentPort, workerData } from 'node:worker_threads'
    import * as mintid from 'mintid'
    parentPort.postMessage(await (${mint})(mintid, workerData))`
  const ids = createIds(url)
  const events = ids.snowflake('events')
  await events.ready()
  const workers = Array.from({ length: threads }, () => {
    const worker = new Worker(source, {
      eval: true,
      execArgv: ['--input-type=module'],
      workerData: { url, count },
    })
    return new Promise((resolve, reject) => worker.on('message', resolve).on('error', reject))
  })
  const results = await Promise.all(workers)
  const own = await events.nextBatch(count)
  const all = [own, ...results.map(({ minted }) => minted)].map((part) => [...part].map(String))
  console.log(JSON.stringify({ machines: results.map(({ machine }) => machine), ids: all.flat() }))
  await ids.close()
}

test('worker threads share the machine number and the sequence', async (t) => {
  const { url } = storeOf(t)
  const ids = createIds(url)
  t.after(() => ids.close())
  const events = ids.snowflake('events')
  await events.ready()
  const workers = Array.from({ length: 4 }, () => inWorker(mint, { url, count: 20_000 }).result)
  const own = []
  for (let i = 0; i < 20_000; i++) own.push(await events.next())
  const results = await Promise.all(workers)
  for (const { machine, minted } of results) {
    assert.equal(machine, events.machine)
    assertGrowing(minted)
  }
  assertGrowing(own)
  assertDistinct([...own, ...results.flatMap(({ minted }) => [...minted])])
  assert.equal(events.stats().leases, 1)
})

test('modules of both kinds share the block', async (t) => {
  const { url } = storeOf(t)
  const [one, other] = [createIds(url), required.createIds(url)]
  t.after(() => Promise.all([one.close(), other.close()]))
  const handles = [one.snowflake('events'), other.snowflake('orders')]
  await Promise.all(handles.map((handle) => handle.ready()))
  const minted = []
  for (let i = 0; i < 2_000; i++) minted.push(await handles[i % 2].next())
  assertGrowing(minted)
  assert.equal(handles[0].machine, handles[1].machine)
})

test('processes have numbers of their own, and no id twice', async (t) => {
  const { url } = storeOf(t)
  const ids = createIds(url)
  t.after(() => ids.close())
  const events = ids.snowflake('events')
  const own = await events.nextBatch(1_000)
  const data = { url, threads: 2, count: 2_000, mint: String(mint) }
  const ended = await Promise.all(Array.from({ length: 4 }, () => inProcess(mintInThreads, data)))
  const told = ended.map(({ code, stdout, stderr }) => {
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout)
  })
  for (const { machines } of told) {
    assert.equal(new Set(machines).size, 1)
    // One that has ended may have passed its number on; this process has kept its own.
    assert.notEqual(machines[0], events.machine)
  }
  assertDistinct([...[...own].map(String), ...told.flatMap(({ ids }) => ids)])
})

test('namespaces have numbers of their own', async (t) => {
  const { url } = storeOf(t)
  const stores = ['a', 'b'].map((namespace) => createIds(url, { namespace }))
  t.after(() => Promise.all(stores.map((store) => store.close())))
  const options = { machine: 9, lease: { ttl: 2_000 } }
  const handles = stores.map((store) => store.snowflake('events', options))
  await Promise.all(handles.map((handle) => handle.next()))
  assert.deepEqual(
    handles.map(({ machine }) => machine),
    [9, 9],
  )
  for (const store of stores) {
    const [held, ...others] = await store.machines()
    assert.deepEqual([held.machine, held.isHeld, others.length], [9, true, 0])
  }
})

test('a worker that ends gives its handle up, and the process goes on', async (t) => {
  const { url } = storeOf(t)
  const ids = createIds(url)
  t.after(() => ids.close())
  const events = ids.snowflake('events')
  const before = await events.nextBatch(10)
  const { worker, result } = inWorker(mint, { url, count: 200 })
  worker.on('message', () => worker.terminate())
  await result
  const after = await events.nextBatch(10)
  assertGrowing([...before, ...after])
  assert.equal(events.stats().leases, 1)
})

test('a program that forgets to close ends', async (t) => {
  const { url } = storeOf(t)
  const { code, stdout, stderr } = await inProcess(
    async ({ createIds }, { url }) => {
      const events = createIds(url).snowflake('events')
      events.on('leaseAcquired', () => {})
      const id = await events.next()
      console.log(events.parse(id).machine === events.machine)
    },
    { url },
  )
  assert.deepEqual([code, stdout], [0, 'true\n'], stderr)
})
