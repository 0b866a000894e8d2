// Processes that are let go at the same instant.

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const MEMBER = fileURLToPath(new URL('crowd-member.mjs', import.meta.url))

/** A member that has not answered by then is taken for one that hangs. */
const LONGEST_RUN_MS = 60_000

/**
 * What `body(mintid, data)` gives in each of `count` processes, once all have given it: none ends
 * before that, and all end without closing anything. Bodies are sent as text, so they can use
 * nothing but their arguments. `launch` is what starts the processes.
 */
export async function inCrowd(count, body, data, { launch = fork } = {}) {
  const members = Array.from({ length: count }, () => new Member(launch))
  try {
    await Promise.all(members.map((member) => member.prepare(String(body), data)))
    const results = await Promise.all(members.map((member) => member.go()))
    for (const member of members) member.letGo()
    return results
  } catch (error) {
    for (const member of members) member.kill()
    throw error
  } finally {
    await Promise.all(members.map(({ closed }) => closed))
  }
}

class Member {
  /** Settles when it has ended. */
  closed
  #process
  #stderr = ''

  constructor(launch) {
    this.#process = launch(MEMBER, { stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    this.#process.stderr.setEncoding('utf8').on('data', (text) => {
      this.#stderr += text
    })
    const timer = setTimeout(() => this.kill(), LONGEST_RUN_MS)
    this.closed = once(this.#process, 'close').finally(() => clearTimeout(timer))
  }

  async prepare(body, data) {
    await this.#answer()
    this.#process.send({ body, data })
    await this.#answer()
  }

  async go() {
    this.#process.send('go')
    return this.#answer()
  }

  letGo() {
    this.#process.send('end', () => {})
  }

  kill() {
    this.#process.kill('SIGKILL')
  }

  /** What it says next. */
  async #answer() {
    const answer = once(this.#process, 'message').then(([{ result }]) => result)
    const ended = this.closed.then(([code, signal]) => {
      throw new Error(`a process of a crowd ended: ${signal ?? code}\n${this.#stderr}`)
    })
    return Promise.race([answer, ended])
  }
}
