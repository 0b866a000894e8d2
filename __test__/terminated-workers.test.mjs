// Worker threads that end while their calls are pending: their process goes on, and so do the
// other threads.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import { createIds } from 'mintid'
import { inProcess } from './support/elsewhere.mjs'
import { storeOf } from './support/folder.mjs'
import { holdLock } from './support/lock.mjs'
import { retry } from './support/retry.mjs'

const WAITING = new URL('support/waiting-worker.mjs', import.meta.url)

/** In a process: starts workers that all wait for a refill, and ends them, or has them end. */
async function endWaiting(_, { workers, url, waiting, endsItself }) {
  const { Worker } = await import('node:worker_threads')
  const { once } = await import('node:events')
  const end = async () => {
    const workerData = { url, endsItself }
    const worker = new Worker(new URL(waiting), { workerData, execArgv: [] })
    const exited = once(worker, 'exit')
    await once(worker, 'message')
    if (!endsItself) worker.terminate()
    const [code] = await exited
    return code
  }
  const codes = await Promise.all(Array.from({ length: workers }, end))
  console.log(new Set(codes))
}

for (const [what, workers, endsItself, written] of [
  ['100 workers that are terminated', 100, false, 'Set(1) { 1 }\n'],
  ['20 workers that call process.exit()', 20, true, 'Set(1) { 0 }\n'],
]) {
  test(`${what} while they wait for a refill leave their process alone`, async (t) => {
    const { file, url } = storeOf(t)
    await holdLock(t, file)
    const data = { workers, url, waiting: WAITING.href, endsItself }
    const { code, signal, stdout, stderr } = await inProcess(endWaiting, data)
    assert.deepEqual({ code, signal, stderr }, { code: 0, signal: null, stderr: '' })
    assert.equal(stdout, written)
  })
}

test('other threads are served after workers that waited have gone', async (t) => {
  const { file, url } = storeOf(t)
  const { release } = await holdLock(t, file)
  const ids = createIds(url)
  const orders = ids.segment('orders')
  const waiting = orders.next()
  const workers = Array.from({ length: 5 }, () => new Worker(WAITING, { workerData: { url } }))
  await Promise.all(workers.map((worker) => once(worker, 'message')))
  await Promise.all(workers.map((worker) => worker.terminate()))
  await release()
  // On a busy machine the refill may have failed before the lock was let go of.
  const first = await waiting.catch(() => retry(() => orders.next()))
  assert.equal(typeof first, 'bigint')
  assert.ok((await orders.next()) > first)
  await ids.close()
})
