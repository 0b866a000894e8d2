// The service as a process: built, started, asked over HTTP, and ended.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

/** Within this an orchestrator has to see it gone, whatever the store does. */
const EXIT_MS = 3000
export const JSON_TYPE = { 'content-type': 'application/json' }

/** Compiles the service by the compiler that is installed for it. */
export async function build(folder) {
  const compiler = join(folder, 'node_modules', 'typescript', 'bin', 'tsc')
  const words = [compiler, '-p', folder]
  await promisify(execFile)(process.execPath, words).catch(({ stdout }) => assert.fail(stdout))
}

/** A running service: where it is, what it has said, and its process. It ends with the test. */
export async function start(t, folder, url, env) {
  const child = spawn(process.execPath, [join(folder, 'dist', 'main.js')], {
    env: { ...process.env, NO_COLOR: '1', PORT: '0', MINTID_URL: url, FIRST_START: 'true', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  t.after(() => child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const said = []
  lines.on('line', (line) => said.push(line))
  const told = async (pattern) => {
    while (!said.some((line) => pattern.test(line))) {
      const [last] = await Promise.race([once(lines, 'line'), exited])
      if (child.exitCode !== null)
        throw new Error(`it ended with ${last} before it said ${pattern}`)
    }
    return said.find((line) => pattern.test(line))
  }
  const base = `http://127.0.0.1:${/\d+$/.exec(await told(/^listening on port/))[0]}`
  return { child, base, said, told, exited }
}

export const post = (base, item = 'tea') =>
  fetch(`${base}/orders`, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify({ item }) })

/** What `path` answers: `{ status, body }`. */
export async function get(base, path) {
  const response = await fetch(`${base}${path}`)
  return { status: response.status, body: await response.json() }
}

/** Ends a service by SIGTERM, and fails unless that is soon. */
export async function terminate({ child, exited }) {
  child.kill('SIGTERM')
  await inTime(exited)
}

export async function inTime(exited) {
  let timer
  const late = new Promise((_, reject) => {
    const error = new Error(`it did not end within ${EXIT_MS} ms`)
    timer = setTimeout(() => reject(error), EXIT_MS)
  })
  try {
    const [code, signal] = await Promise.race([exited, late])
    // Nest ends by the signal that it got, once its hooks are done.
    assert.deepEqual([code, signal], [null, 'SIGTERM'])
  } finally {
    clearTimeout(timer)
  }
}
