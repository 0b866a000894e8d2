// A process of the demo as its parent sees it: told what to do, heard, and ended with its parent.

import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { StepFailed } from '../steps.mjs'

const MODULE = fileURLToPath(new URL('process.mjs', import.meta.url))

const alive = new Set()
// Before other listeners, such as the one that removes the folder into which the children write.
process.prependOnceListener('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

export class Child {
  /** How many ids its workers have written so far. */
  minted = 0
  /** Whether it was ended by kill -9, as the demo asked. */
  killed = false
  /** Settle when its workers stand ready, have written their last id, and when it has ended. */
  ready
  finished
  stats
  #process
  #settle = {}

  constructor(job) {
    for (const stage of ['ready', 'finished', 'stats']) {
      this[stage] = new Promise((resolve, reject) => {
        this.#settle[stage] = { resolve, reject }
      })
      // A process that ends early fails all of them, and only one is being awaited.
      this[stage].catch(() => {})
    }
    // What a child says is progress or an error: the figures alone go to stdout.
    this.#process = fork(MODULE, { stdio: ['ignore', 2, 2, 'ipc'] })
    alive.add(this.#process)
    this.#process.on('message', (message) => this.#hear(message))
    this.#process.once('exit', (code, signal) => this.#end(code, signal))
    this.#process.send(job)
  }

  start() {
    this.#process.send('mint')
  }

  /** Ends it if it has not ended yet. */
  stop() {
    this.#process.kill('SIGKILL')
  }

  #hear({ kind, ...figures }) {
    if (kind !== 'ready' && kind !== 'stats') this.minted = figures.minted
    this.#settle[kind]?.resolve(figures)
  }

  #end(code, signal) {
    alive.delete(this.#process)
    this.killed = signal === 'SIGKILL'
    if (this.killed) {
      this.#settle.finished.resolve()
      // What it reserved died with it, and is among the gaps.
      this.#settle.stats.resolve({ refills: 0, waste: 0 })
    }
    const early = new StepFailed(`a process of the demo ended early: ${signal ?? `exit ${code}`}`)
    for (const { reject } of Object.values(this.#settle)) reject(early)
  }
}
