// The same service as several processes behind one port. Each has a store of its own to itself, a
// connection and a machine number of its own: they share nothing but the counters.
//
//   node cluster.mjs          with WORKERS (as many as there are processors), and what index.mjs takes

import cluster from 'node:cluster'
import { availableParallelism } from 'node:os'

const { WORKERS = String(availableParallelism()) } = process.env
/** A worker that cannot start is not started again and again without a breath. */
const RESTART_MS = 1000

if (cluster.isPrimary) lead(Number(WORKERS))
else await import('./index.mjs')

function lead(count) {
  let isEnding = false
  for (let i = 0; i < count; i++) cluster.fork()

  cluster.on('exit', ({ process: { pid } }, code, signal) => {
    if (isEnding) return
    console.error(`worker ${pid} ended by ${signal ?? code}: another takes its place`)
    setTimeout(() => isEnding || cluster.fork(), RESTART_MS)
  })

  for (const signal of ['SIGTERM', 'SIGINT']) {
    process.once(signal, () => {
      isEnding = true
      // With the last of them this process ends too.
      for (const worker of Object.values(cluster.workers)) worker.process.kill('SIGTERM')
    })
  }
}
