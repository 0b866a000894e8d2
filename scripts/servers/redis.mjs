// A server of Redis's kind on a free loopback port, in a folder of its own.

import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../folder.mjs'
import { StepFailed } from '../steps.mjs'
import { binary } from './binaries.mjs'
import { freePort } from './ports.mjs'
import { ServerProcess } from './process.mjs'
import { Connection, ReplyError } from './resp.mjs'
import { tlsOptions, tlsWords } from './tls.mjs'
import { until } from './until.mjs'

const START_MS = 10_000
/** Somebody else may take a port between the look at it and the start. */
const PORTS_TRIED = 3
const IN_USE = /Address already in use/

/** What each kind is told beside what all are told. */
const KINDS = {
  redis7: [],
  redis8: [],
  valkey9: [],
  // What Kvrocks does not have, beside what Redis 7.0 lacks anyway.
  kvrocks: ['--rename-command', 'FUNCTION', '', '--rename-command', 'FAILOVER', ''],
}

/**
 * Starts a server and waits until it answers.
 *
 * @param kind `redis7`, `redis8`, `valkey9`, or `kvrocks`: a Redis 7.0 that can do no more than it
 * @param args words for its command line, such as `['--appendonly', 'yes']`
 * @param folder where it works; without it a temporary one, which `stop` removes
 * @param port a free one where none is given
 * @param password what clients have to give
 * @param tls true, or `{ clients: true }` to demand certificates; for `redis7` and `kvrocks`
 * @param isSentinel whether it watches others instead of keeping values
 * @param isDetached whether it may live on once it is released
 */
export async function startRedis({ kind = 'valkey9', ...options } = {}) {
  if (!Object.hasOwn(KINDS, kind)) {
    throw new StepFailed(`kind is '${kind}': one of ${Object.keys(KINDS).join(', ')} is due`)
  }
  const server = new RedisServer({ ...options, kind, program: await binary(kind) })
  try {
    await server.start()
  } catch (error) {
    await server.stop()
    throw error
  }
  return server
}

export class RedisServer {
  kind
  folder
  port
  #options
  #process
  #connection

  constructor(options) {
    this.#options = { ...options, args: options.args ?? [] }
    this.kind = options.kind
    this.folder = options.folder ?? mkdtempSync(join(root(), `${options.kind}-`))
    mkdirSync(this.folder, { recursive: true })
    this.port = options.port
  }

  get pid() {
    return this.#process.pid
  }

  /** The same for a server as for a group of them: every process that is a part of it. */
  get servers() {
    return [this]
  }

  get url() {
    const { tls, password } = this.#options
    const user = password === undefined ? '' : `:${encodeURIComponent(password)}@`
    return `${tls ? 'rediss' : 'redis'}://${user}127.0.0.1:${this.port}`
  }

  /** Starts it. Its port stays what it is, once it has one. */
  async start() {
    if (this.port !== undefined) return this.#startOnce()
    for (let attempt = 1; ; attempt++) {
      this.port = await freePort()
      try {
        return await this.#startOnce()
      } catch (error) {
        if (attempt === PORTS_TRIED || !IN_USE.test(error.message)) throw error
      }
    }
  }

  /**
   * Sends one command over a connection that is kept: texts come back as strings, integers as
   * bigints, nothing as null; an error reply rejects.
   */
  async call(...words) {
    if (this.#connection === undefined || this.#connection.isBroken) {
      this.#connection = this.#connect()
    }
    return this.#connection.call(...words)
  }

  /** One section of INFO as an object of texts. */
  async info(section) {
    const lines = (await this.call('INFO', section)).split('\r\n')
    return Object.fromEntries(lines.map((line) => line.split(/:(.*)/s).slice(0, 2)))
  }

  /** Ends it in order, and removes its folder where that was a temporary one. */
  async stop() {
    await this.#end('stop')
    if (this.#options.folder === undefined) rmSync(this.folder, { recursive: true, force: true })
  }

  /** Ends it by kill -9; its folder stays. */
  kill() {
    return this.#end('kill')
  }

  freeze() {
    this.#process.signal('SIGSTOP')
  }

  thaw() {
    this.#process.signal('SIGCONT')
  }

  /** Starts it again in its folder and on its port, after it was ended; `args` replace the former. */
  async restart({ args } = {}) {
    await this.#end('stop')
    if (args !== undefined) this.#options.args = args
    await this.start()
  }

  /** Lets a detached server live on without this process. */
  release() {
    this.#connection?.close()
    this.#process.release()
  }

  async #end(how) {
    this.#connection?.close()
    await this.#process?.[how]()
  }

  async #startOnce() {
    this.#process = new ServerProcess(this.#options.program, this.#words(), {
      folder: this.folder,
      isDetached: this.#options.isDetached,
    })
    try {
      await until('it answers', START_MS, () => this.#process.how || this.#answers())
      if (this.#process.how) throw new StepFailed(this.#process.how)
    } catch (error) {
      await this.#process.kill()
      const what = `${this.kind} on port ${this.port} did not start`
      throw new StepFailed(`${what}: ${error.message}\n${this.#process.lastWords}`)
    }
  }

  #words() {
    const { args, tls, password, isSentinel } = this.#options
    const place = tls ? tlsWords(this.port, tls) : ['--port', String(this.port)]
    const words = [...place, '--bind', '127.0.0.1', '--dir', this.folder, '--protected-mode', 'no']
    if (password !== undefined) words.push('--requirepass', password)
    if (isSentinel) return [sentinelFile(this.folder), '--sentinel', ...words, ...args]
    // By default a replica would wait some seconds for others that might want the same.
    words.push('--save', '', '--repl-diskless-sync-delay', '0')
    return [...words, ...KINDS[this.kind], ...args]
  }

  #connect() {
    const { tls, password } = this.#options
    const connection = new Connection({ port: this.port, tls: tls ? tlsOptions() : undefined })
    // A refusal is told by the command that follows.
    if (password !== undefined) connection.call('AUTH', password).catch(() => {})
    return connection
  }

  /** Whether it is this server that answers, and no longer reads what it kept. */
  async #answers() {
    const connection = this.#connect()
    try {
      const [, pid] = /^process_id:(\d+)/m.exec(await connection.call('INFO', 'server')) ?? []
      return Number(pid) === this.pid && (await connection.call('PING')) === 'PONG'
    } catch (error) {
      // Who refuses a command is up; so it may have been told to.
      if (error instanceof ReplyError && !error.message.startsWith('LOADING')) return true
      throw error
    } finally {
      connection.close()
    }
  }
}

let folder

/** The folder of all servers of this process; it goes with the process. */
function root() {
  folder ??= temporaryFolder('servers')
  return folder
}

/** A Sentinel writes into its file what it learns, so that it must be there and stay. */
function sentinelFile(folder) {
  const file = join(folder, 'sentinel.conf')
  closeSync(openSync(file, 'a'))
  return file
}
