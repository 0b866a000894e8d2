// A command whose output is wanted, or is only worth showing when it fails.

import { execFile } from 'node:child_process'
import { basename } from 'node:path'
import { StepFailed } from '../steps.mjs'

/** Few commands here take a tenth of it; one that hangs is ended and named. */
const TIMEOUT_MS = 120_000

/** Runs a command and gives what it wrote to stdout; all it wrote is in the failure. */
export function captured(command, args, { timeout = TIMEOUT_MS, ...options } = {}) {
  return new Promise((resolve, reject) => {
    execFile(
      command,
      args,
      { encoding: 'utf8', maxBuffer: 2 ** 26, timeout, ...options },
      (error, stdout, stderr) => {
        if (error === null) return resolve(stdout)
        const reason = error.killed ? `not done after ${timeout} ms` : `exit ${error.code}`
        const name = [basename(command), ...args.slice(0, 2).map((word) => basename(word))]
        reject(new StepFailed(`${name.join(' ')}: ${reason}\n${stdout}${stderr}`.trimEnd()))
      },
    )
  })
}

/** Runs a program of npm's kind: on Windows a batch file, which only a shell can start. */
export const npm = (args, options) =>
  captured('npm', args, { shell: process.platform === 'win32', ...options })

export const node = (args, options) => captured(process.execPath, args, options)
