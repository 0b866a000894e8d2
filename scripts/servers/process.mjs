// The process of a test server. It does not outlive who started it, however that one ends: a normal
// end kills it, and so does the kernel after a kill -9, for which `setpriv` asks.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A server that has not ended by SIGTERM until then is killed. */
const STOP_MS = 5_000
const LINES_SHOWN = 12

const WITH_PARENT = ['setpriv', '--pdeathsig', 'KILL', '--']
const canDieWithParent = spawnSync(WITH_PARENT[0], ['--version']).status === 0

const alive = new Set()
// Before other listeners, such as the one that removes the folder into which it writes.
process.prependOnceListener('exit', () => {
  for (const child of alive) child.kill('SIGKILL')
})

export class ServerProcess {
  #child
  #log
  #ended
  /** How it ended, such as `exit 1`; undefined while it runs. */
  how

  /** `isDetached` lets it live on, once it is released. */
  constructor({ path, env }, words, { folder, isDetached = false }) {
    this.#log = join(folder, 'log')
    const log = openSync(this.#log, 'a')
    const tied = canDieWithParent && !isDetached ? WITH_PARENT : []
    const [command, ...rest] = [...tied, path, ...words]
    this.#child = spawn(command, rest, {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', log, log],
      detached: isDetached,
    })
    closeSync(log)
    alive.add(this.#child)
    this.#ended = this.#end()
  }

  get pid() {
    return this.#child.pid
  }

  /** The last lines of what it wrote. */
  get lastWords() {
    const lines = readFileSync(this.#log, 'utf8').trimEnd().split('\n')
    return lines.slice(-LINES_SHOWN).join('\n')
  }

  /** Sends a signal while it runs; afterwards its pid may be that of another. */
  signal(name) {
    if (this.how === undefined) this.#child.kill(name)
  }

  /** Ends it in order, or else by force. */
  async stop() {
    this.signal('SIGTERM')
    // One that is frozen hears nothing else.
    this.signal('SIGCONT')
    const timer = setTimeout(() => this.signal('SIGKILL'), STOP_MS)
    await this.#ended
    clearTimeout(timer)
  }

  /** Ends it by kill -9, and waits until it is gone. */
  async kill() {
    this.signal('SIGKILL')
    await this.#ended
  }

  /** Leaves a detached process to itself. */
  release() {
    alive.delete(this.#child)
    this.#child.unref()
  }

  async #end() {
    try {
      const [code, signal] = await once(this.#child, 'exit')
      this.how = signal ?? `exit ${code}`
    } catch (error) {
      this.how = `it could not be started: ${error.message}`
    }
    alive.delete(this.#child)
  }
}
