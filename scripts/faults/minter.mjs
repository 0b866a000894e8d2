// A process of the fleet as its parent sees it: started, paused, and asked what it saw.

import { fork } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { now } from './clock.mjs'

const MODULE = fileURLToPath(new URL('process.mjs', import.meta.url))
const LOOK_EVERY_MS = 20

const alive = new Set()
// Before other listeners, such as the one that removes the folder into which they write.
process.prependOnceListener('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

export class Minter {
  /** How many ids it has got so far. */
  minted = 0
  /** When the last one came. */
  lastAt = 0
  /** Its machine number, as long as it holds one. */
  machine
  /** What it saw, once it was stopped; undefined if it ended by itself. */
  report
  /** Whether it was told to mint. */
  isMinting = false
  /** What it did instead of ending when it was told to: no fault of a store may do that to it. */
  broken
  /** Whether it was ended by `kill`: it tells nothing, and what it minted counts. */
  isKilled = false
  /** Whether it is in order that it gets no id. */
  mayBeRefused = false
  /** Where it has to lose its lease, once: the codes of which its callers are told one, if any. */
  losesWith
  /** Whether it has to go on under another number than its first. */
  hasToMove = false
  /** `[from, to]` of each time in which it was stopped, or refused in order. */
  pauses = []
  /** Settles when it stands ready, or has ended. */
  ready
  #process
  #exited
  #isEnding = false

  /**
   * `store` and `options` are those of `createIds`, `snowflake` those of Snowflake ids if it mints
   * such; ids go to `file`. `launch` is what starts the module, and `threads` how many mint beside
   * the main one.
   */
  constructor({ name, launch = fork, ...task }) {
    this.name = name
    const { file, threads = 0 } = task
    this.files = [file, ...Array.from({ length: threads }, (_, i) => `${file}.${i + 1}`)]
    // What a process says is an error: the figures alone go to stdout.
    this.#process = launch(MODULE, { stdio: ['ignore', 2, 2, 'ipc'] })
    alive.add(this.#process)
    this.ready = new Promise((resolve) => {
      this.#process.on('message', ({ kind, ...told }) => {
        if (kind === 'listening') this.#tell(task)
        if (kind === 'ready') resolve()
        if (kind === 'ended') this.report = told
        if (kind !== 'progress' && kind !== 'ended') return
        Object.assign(this, { minted: told.minted, lastAt: told.lastAt, machine: told.machine })
      })
      this.#process.once('exit', resolve)
    })
    this.#exited = new Promise((resolve) => {
      this.#process.once('exit', (code, signal) => {
        alive.delete(this.#process)
        if (!this.isKilled && (!this.#isEnding || code !== 0))
          this.broken ??= `ended by itself: ${signal ?? `exit ${code}`}`
        resolve()
      })
    })
  }

  /** Whether it mints no more. */
  get isOver() {
    return this.report !== undefined || this.isKilled || this.broken !== undefined
  }

  mint() {
    this.isMinting = true
    this.#tell('mint')
  }

  /** Lets it ask for no more ids until it is told to mint again. */
  rest() {
    this.isMinting = false
    this.#tell('rest')
  }

  /** Stops it by SIGSTOP, with all that it does in the background. */
  pause() {
    this.#process.kill('SIGSTOP')
    this.pauses.push([now(), Number.POSITIVE_INFINITY])
  }

  resume() {
    this.#process.kill('SIGCONT')
    const last = this.pauses.at(-1)
    if (last?.[1] === Number.POSITIVE_INFINITY) last[1] = now()
  }

  /** While this is done it is in order that it gets no id. */
  async refused(work) {
    const from = now()
    this.mayBeRefused = true
    await work()
    this.mayBeRefused = false
    this.pauses.push([from, now()])
  }

  /** Ends it by kill -9. */
  async kill() {
    this.isKilled = true
    this.#process.kill('SIGKILL')
    await this.#exited
  }

  /** Ends it in order, after the callers that wait; at most after `limitMs`, by force. */
  async stop(limitMs) {
    if (this.isOver) return
    this.#isEnding = true
    this.resume()
    const timer = setTimeout(() => {
      this.broken = `did not end within ${limitMs} ms: one of its callers still waits`
      this.#process.kill('SIGKILL')
    }, limitMs)
    await this.ready
    this.#tell('stop')
    await this.#exited
    clearTimeout(timer)
  }

  /** Waits until it gets an id from now on; false if none comes within `limitMs`. */
  async mintsAgain(limitMs) {
    const begin = now()
    while (this.lastAt < begin && !this.isOver && now() < begin + limitMs) {
      await sleep(LOOK_EVERY_MS)
    }
    return this.lastAt >= begin
  }

  /** Whether it was still there to hear it is told by how it ends. */
  #tell(message) {
    this.#process.send(message, () => {})
  }
}
