// One process of the fleet, with as many threads as it is told. An error that nobody caught ends
// it, which is what must never happen.

import { Worker } from 'node:worker_threads'
import { now } from './clock.mjs'
import { Realm } from './realm.mjs'

const PROGRESS_EVERY_MS = 50
const THREAD = new URL('thread.mjs', import.meta.url)

// Without its parent a process would mint for nobody, for ever.
process.once('disconnect', () => process.exit(1))
process.once('message', serve)
// A worker of `node:cluster` loses what it is told before it listens.
process.send({ kind: 'listening' })

function serve({ threads = 0, ...task }) {
  const realm = new Realm(task)
  const others = Array.from(
    { length: threads },
    (_, i) => new Thread({ ...task, file: `${task.file}.${i + 1}` }),
  )
  const progress = setInterval(() => {
    const told = [realm.progress, ...others.map((thread) => thread.progress)]
    process.send({ kind: 'progress', ...summedUp(told), machine: told[0].machine })
  }, PROGRESS_EVERY_MS)

  process.on('message', async (word) => {
    if (word !== 'stop') {
      for (const each of [realm, ...others]) each.tell(word)
      return
    }
    const told = others.map((thread) => thread.stop())
    const report = merged(await realm.stop(), await Promise.all(told))
    clearInterval(progress)
    process.send({ kind: 'ended', ...report }, () => process.exit())
  })
  process.send({ kind: 'ready' })
}

/** A thread that mints beside the main one. */
class Thread {
  progress = { minted: 0, lastAt: 0 }
  #worker
  #ended

  constructor(task) {
    this.#worker = new Worker(THREAD, { workerData: task })
    this.#ended = new Promise((resolve) => {
      this.#worker.on('message', ({ kind, ...told }) => {
        if (kind === 'progress') this.progress = told
        else resolve(told)
      })
    })
  }

  tell(word) {
    this.#worker.postMessage(word)
  }

  stop() {
    this.tell('stop')
    return this.#ended
  }
}

/** How far a process is: as far as the thread that was served longest ago. */
function summedUp(threads) {
  return {
    minted: threads.reduce((sum, { minted }) => sum + minted, 0),
    lastAt: Math.min(...threads.map(({ lastAt }) => lastAt), now()),
  }
}

/** What a process saw. Every thread was told the same events: one of them counts. */
function merged(report, others) {
  if (others.length === 0) return report
  const all = [report, ...others]
  return {
    ...report,
    ...summedUp(all),
    waits: all.flatMap(({ waits }) => waits),
    silences: all.flatMap(({ silences }) => silences),
    silentAtLastMs: Math.max(...all.map(({ silentAtLastMs }) => silentAtLastMs)),
    errors: all.flatMap(({ errors }) => errors),
  }
}
