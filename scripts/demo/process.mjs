// One process of the demo: starts its worker threads, and counts what their one engine did.

import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { createIds } from 'mintid'

const PROGRESS_EVERY_MS = 50

// Without its parent a process would mint for nobody, for ever.
process.once('disconnect', () => process.exit(1))
process.once('message', serve)

async function serve({ store, generator, workers }) {
  const ids = createIds(store)
  // The engine is one for all realms of the process: this handle reads its figures at the end.
  const orders = ids.segment(generator)
  await ids.ready()

  let minted = 0
  const threads = workers.map((work) => {
    const thread = new Worker(new URL('worker.mjs', import.meta.url), {
      workerData: { store, generator, ...work },
    })
    thread.on('message', ({ count = 0 }) => {
      minted += count
    })
    return thread
  })
  await Promise.all(threads.map((thread) => heard(thread, 'ready')))
  process.send({ kind: 'ready' })

  await once(process, 'message')
  const progress = setInterval(() => process.send({ kind: 'minted', minted }), PROGRESS_EVERY_MS)
  const exits = threads.map((thread) => once(thread, 'exit'))
  const finished = threads.map((thread) => heard(thread, 'finished'))
  for (const thread of threads) thread.postMessage('mint')
  await Promise.all(finished)
  clearInterval(progress)
  process.send({ kind: 'finished', minted })

  await Promise.all(exits)
  const { reserved, refills } = orders.stats()
  // An engine counts from zero, and its process is its own: what was not minted here is waste.
  const waste = Number(reserved) - minted
  await ids.close()
  process.send({ kind: 'stats', refills: Number(refills), waste }, () => process.exit())
}

/** Waits for one kind of message; an uncaught error of the thread ends the whole process. */
function heard(thread, kind) {
  return new Promise((resolve) => {
    thread.on('message', (message) => {
      if (message.kind === kind) resolve()
    })
  })
}
