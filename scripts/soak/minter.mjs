// A process of the soak as its parent sees it: started, done harm to, and ended with its parent.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StepFailed } from '../steps.mjs'

const MODULE = fileURLToPath(new URL('process.mjs', import.meta.url))

const alive = new Set()
// Before other listeners, such as the one that removes the folder into which they write.
process.prependOnceListener('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

export class Minter {
  /** How many ids its workers have taken so far, and how many of their calls failed. */
  figures = { minted: 0, refused: 0 }
  #folder
  #process
  #exited
  #isEnding = false

  /** `onBroken` is told the failure of a process that ends without having been told to. */
  constructor(folder, job, onBroken) {
    this.#folder = folder
    mkdirSync(folder)
    // What a process says is an error: the figures alone go to stdout.
    this.#process = fork(MODULE, { stdio: ['ignore', 2, 2, 'ipc'] })
    alive.add(this.#process)
    this.#process.on('message', (figures) => {
      this.figures = figures
    })
    this.#exited = once(this.#process, 'exit').then(([code, signal]) => {
      alive.delete(this.#process)
      if (this.#isEnding && (code === 0 || signal === 'SIGKILL')) return
      onBroken(new StepFailed(`a process of the soak broke off: ${signal ?? `exit ${code}`}`))
    })
    this.#tell({ ...job, folder })
  }

  pause() {
    this.#process.kill('SIGSTOP')
  }

  resume() {
    this.#process.kill('SIGCONT')
  }

  /** Ends one of its threads in the middle of its work; another one takes its place. */
  terminateWorker() {
    this.#tell('terminate')
  }

  /** Ends it by kill -9. */
  async kill() {
    this.#isEnding = true
    this.#process.kill('SIGKILL')
    await this.#exited
  }

  /** Ends it in order. */
  async stop() {
    this.#isEnding = true
    this.resume()
    this.#tell('stop')
    await this.#exited
  }

  /** Adds the ids that it wrote to those that were seen, and removes them. Once it has ended. */
  collect(seen) {
    for (const name of readdirSync(this.#folder)) seen.add(join(this.#folder, name))
    rmSync(this.#folder, { recursive: true })
  }

  /** Whether it was still there to hear it is told by how it ends. */
  #tell(message) {
    this.#process.send(message, () => {})
  }
}
