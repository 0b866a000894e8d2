// The example with Express as processes of their own, driven over HTTP.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const EXAMPLES = fileURLToPath(new URL('../../examples/', import.meta.url))
const INDEX = 'index.mjs'

let installing

/** What the example needs, once for all tests of a file. */
export function installService() {
  installing ??= promisify(execFile)(process.execPath, [`${EXAMPLES}install.mjs`, 'express'])
  return installing
}

/**
 * Starts a service and waits until `count` processes listen.
 *
 * @param store the URL of its store
 * @param program a file of the example
 * @param env variables beside those that are set here
 */
export async function startService(t, store, { program = INDEX, count = 1, env = {} } = {}) {
  await installService()
  const child = spawn(process.execPath, [`${EXAMPLES}express/${program}`], {
    env: { ...process.env, PORT: '0', MINTID_URL: store, FIRST_START: 'true', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  t.after(() => child.kill('SIGKILL'))
  const service = new Service(child)
  await service.listening(count)
  return service
}

class Service {
  #child
  #agent = new Agent({ keepAlive: true, maxSockets: 50 })
  #ports = []
  /** What it said on standard error. */
  complaints = ''
  /** `[code, signal]`, once it has ended. */
  ended

  constructor(child) {
    this.#child = child
    this.ended = once(child, 'exit')
    child.stderr.setEncoding('utf8').on('data', (text) => {
      this.complaints += text
    })
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.#ports.push(Number(/\d+$/.exec(line)[0]))
      child.emit('listening')
    })
  }

  get pid() {
    return this.#child.pid
  }

  async listening(count) {
    while (this.#ports.length < count) {
      const next = await Promise.race([once(this.#child, 'listening'), this.ended])
      if (next.length > 0) throw new Error(`the service ended: ${this.complaints}`)
    }
  }

  /** Asks for `path`, on connections that are kept: `{ status, headers, body }`. */
  async ask(method, path, body) {
    const asked = this.begin(method, path)
    asked.end(body)
    return await answerTo(asked)
  }

  /** A request whose body is still to come. */
  begin(method, path) {
    const headers = { 'content-type': 'application/json' }
    const [port] = this.#ports
    return request({ host: '127.0.0.1', port, method, path, headers, agent: this.#agent })
  }

  /** What `count` requests at once, and `times` after each other, are answered. */
  async askMany(path, { count, times }) {
    const one = async () => {
      const answers = []
      for (let i = 0; i < times; i++) answers.push(await this.ask('POST', path, '{"item":"tea"}'))
      return answers
    }
    return (await Promise.all(Array.from({ length: count }, one))).flat()
  }

  /** Sends a signal, and gives how it ended: `{ code, signal, ms }`. */
  async end(name) {
    const start = performance.now()
    this.#child.kill(name)
    const [code, signal] = await this.ended
    return { code, signal, ms: performance.now() - start }
  }
}

/** The answer to a request that was begun. */
export async function answerTo(asked) {
  const [response] = await once(asked, 'response')
  const text = (await response.setEncoding('utf8').toArray()).join('')
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(text) }
}
