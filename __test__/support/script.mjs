// A script of this checkout, run as a person would.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { folderOf } from './folder.mjs'

/**
 * Runs a script with a folder for temporary files of its own, and tells what it left there.
 * `until` is what it has to have told before it is interrupted.
 */
export async function runScript(t, name, args, { until } = {}) {
  const folder = folderOf(t)
  const script = fileURLToPath(new URL(`../../scripts/${name}`, import.meta.url))
  const child = spawn(process.execPath, [script, ...args], {
    env: { ...process.env, TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
    if (until?.test(stderr)) child.kill('SIGINT')
  })
  const [code] = await once(child, 'close')
  return { code, stdout, stderr, left: readdirSync(folder) }
}
