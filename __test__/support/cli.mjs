// The command `mintid` as a process of its own, found as npm finds it.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { folderOf } from './folder.mjs'

const PACKAGE = import.meta.resolve('mintid/package.json')

export const MANIFEST = JSON.parse(readFileSync(fileURLToPath(PACKAGE), 'utf8'))
export const BIN = fileURLToPath(new URL(MANIFEST.bin.mintid, PACKAGE))

/** A command that has not ended by itself until then is taken for one that hangs. */
const LONGEST_RUN_MS = 60_000

/** Runs `mintid` with these words; `url` is what the environment has as MINTID_URL. */
export const mintid = (words, { url, ...rest } = {}) =>
  ended(spawnIn(process.execPath, [BIN, ...words], { MINTID_URL: url }, rest))

/** Runs a script of the shell in which `mintid` is a command, in the folder `cwd`. */
export function shell(t, script, { url, cwd }) {
  const bin = join(folderOf(t), 'bin')
  mkdirSync(bin)
  const command = join(bin, 'mintid')
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`)
  chmodSync(command, 0o755)
  const path = `${bin}:${process.env.PATH}`
  return ended(spawnIn('sh', ['-c', script], { MINTID_URL: url, PATH: path }, { cwd }))
}

function spawnIn(command, args, variables, options) {
  const env = { ...process.env, ...variables }
  // Set to undefined it would be the text "undefined".
  if (env.MINTID_URL === undefined) delete env.MINTID_URL
  return spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: LONGEST_RUN_MS,
    killSignal: 'SIGKILL',
    ...options,
    env,
  })
}

async function ended(child) {
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) {
    child[name]?.setEncoding('utf8').on('data', (text) => {
      written[name] += text
    })
  }
  const [code] = await once(child, 'close')
  return { code, ...written }
}
