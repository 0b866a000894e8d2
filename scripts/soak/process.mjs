// One process of the soak: keeps its worker threads alive until it is told to stop, or killed.

import { once } from 'node:events'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'

const PROGRESS_EVERY_MS = 50
const WORKER = new URL('worker.mjs', import.meta.url)

// Without its parent a process would mint for nobody, for ever.
process.once('disconnect', () => process.exit(1))
process.once('message', serve)

function serve({ folder, workers, ...work }) {
  const figures = { minted: 0, refused: 0 }
  const alive = new Set()
  let files = 0
  let isStopping = false

  const start = () => {
    const worker = new Worker(WORKER, {
      workerData: { ...work, file: join(folder, `${files++}.ids`) },
    })
    worker.on('message', ({ minted = 0, refused = 0 }) => {
      figures.minted += minted
      figures.refused += refused
    })
    alive.add(worker)
    worker.once('exit', () => {
      alive.delete(worker)
      if (!isStopping) start()
    })
  }
  for (let i = 0; i < workers; i++) start()

  const progress = setInterval(() => process.send(figures), PROGRESS_EVERY_MS)
  process.on('message', async (word) => {
    if (word === 'terminate') {
      const [worker] = alive
      await worker?.terminate()
      return
    }
    isStopping = true
    clearInterval(progress)
    const exits = [...alive].map((worker) => once(worker, 'exit'))
    for (const worker of alive) worker.postMessage('stop')
    await Promise.all(exits)
    process.send(figures, () => process.exit())
  })
}
