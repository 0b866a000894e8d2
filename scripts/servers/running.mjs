// Servers that live on after the command that started them, and the file that remembers them.

import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOT, StepFailed } from '../steps.mjs'
import { NAMES, startNamed } from './set.mjs'
import { until } from './until.mjs'

const STOP_MS = 5_000

export class Running {
  #file

  constructor(file = join(ROOT, '.cache', 'servers', 'running.json')) {
    this.#file = file
  }

  /** What was started and not stopped: names with `{ url, isRunning }`. */
  get known() {
    const entries = Object.entries(this.#read())
    const inOrder = entries.sort(([one], [other]) => NAMES.indexOf(one) - NAMES.indexOf(other))
    return new Map(
      inOrder.map(([name, { url, processes }]) => [
        name,
        { url, isRunning: processes.every(isAlive) },
      ]),
    )
  }

  /** Starts one of the set, so that it lives on, and remembers it. */
  async start(name) {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), `mintid-servers-${name}-`)))
    const abandon = () => remove(folder)
    process.once('exit', abandon)
    const started = await startNamed(name, { folder, isDetached: true })
    const processes = started.servers.map((server) => ({ pid: server.pid, folder: server.folder }))
    this.#update((all) => ({ ...all, [name]: { url: started.url, folder, processes } }))
    process.off('exit', abandon)
    for (const server of started.servers) server.release()
  }

  /** Ends one by its pids, and forgets it. */
  async stop(name) {
    const { folder, processes } = this.#read()[name]
    await Promise.all(processes.map(end))
    remove(folder)
    this.#update(({ [name]: _, ...others }) => others)
  }

  #read() {
    try {
      return JSON.parse(readFileSync(this.#file, 'utf8'))
    } catch (error) {
      if (error.code === 'ENOENT') return {}
      throw new StepFailed(`${this.#file} cannot be read: ${error.message}; remove it to forget it`)
    }
  }

  /** Whole or not at all, however this process ends. */
  #update(change) {
    const part = `${this.#file}.${process.pid}`
    mkdirSync(dirname(this.#file), { recursive: true })
    writeFileSync(part, `${JSON.stringify(change(this.#read()), undefined, 2)}\n`)
    renameSync(part, this.#file)
  }
}

/** Ctrl-C while servers start ends those that nobody would know of. */
export function endWithSignals() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]))
  }
}

const remove = (folder) => rmSync(folder, { recursive: true, force: true, maxRetries: 5 })

async function end(server) {
  signal(server, 'SIGTERM')
  // One that is frozen hears nothing else.
  signal(server, 'SIGCONT')
  const isGone = () => !isAlive(server)
  try {
    await until('it ends', STOP_MS, isGone)
  } catch {
    signal(server, 'SIGKILL')
    await until(`process ${server.pid} ends by kill -9`, STOP_MS, isGone)
  }
}

function signal(server, name) {
  if (isAlive(server)) process.kill(server.pid, name)
}

/** Whether a pid still is that of the server: by now it may be another's, who works elsewhere. */
function isAlive({ pid, folder }) {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder
  } catch {
    return false
  }
}
