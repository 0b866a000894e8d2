// Runs the programs that measure, each in a process of its own, and reads the figures they print.

import { spawn } from 'node:child_process'
import { ROOT, StepFailed } from '../scripts/steps.mjs'

/** Runs a module with a Node; gives back the object that it printed. */
export const runNode = (node, file, flags = [], args = []) => read(node, [...flags, file, ...args])

/** Runs one of the Rust programs, in release. */
export const runRust = (name) =>
  read('cargo', ['bench', '--quiet', '-p', 'mintid', '--bench', name])

/** How a module that is run by `runNode` answers. */
export const answer = (figures) => process.stdout.write(`${JSON.stringify(figures)}\n`)

function read(command, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] })
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (part) => {
      text += part
    })
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (code === 0) resolve(JSON.parse(text))
      else reject(new StepFailed(`${[command, ...args].join(' ')}: ${signal ?? `exit ${code}`}`))
    })
  })
}
