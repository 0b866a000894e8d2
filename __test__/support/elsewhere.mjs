// Code that runs in another realm: a worker thread or a process. Its function is sent as text, so
// it can use nothing but its arguments: what the package exports, and plain data.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const PACKAGE = import.meta.resolve('mintid')

/** A process that has not ended by itself until then is taken for one that hangs. */
const LONGEST_RUN_MS = 30_000

/** A worker that runs `body`; `result` is what it gives, once the worker has gone. */
export function inWorker(body, data) {
  const source = `
    const { parentPort, workerData } = require('node:worker_threads')
    import('${PACKAGE}')
      .then((mintid) => (${body})(mintid, workerData, parentPort))
      .then((result) => parentPort.postMessage({ result }))`
  const worker = new Worker(source, { eval: true, workerData: data })
  return { worker, result: resultOf(worker) }
}

async function resultOf(worker) {
  let result
  worker.on('message', (message) => {
    if (Object.hasOwn(message, 'result')) result = message.result
  })
  await once(worker, 'exit')
  return result
}

/** How a process that runs `body` ends, and what it wrote. */
export async function inProcess(body, data, env = {}) {
  const source = `(${body})(await import('mintid'), ${JSON.stringify(data)})`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_RUN_MS,
    killSignal: 'SIGKILL',
  })
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) {
    child[name].setEncoding('utf8').on('data', (text) => {
      written[name] += text
    })
  }
  const [code, signal] = await once(child, 'close')
  return { code, signal, ...written }
}
