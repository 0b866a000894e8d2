// Runs commands, steps and parts, and tells how long each took.
// Progress goes to stderr, so that what a script prints as its result stays alone on stdout.

import { spawn } from 'node:child_process'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))
const WORDS_SHOWN = 6
export const IN_CI = Boolean(process.env.CI)

/** A failure whose message says all there is to say: no stack is printed for it. */
export class StepFailed extends Error {}

/**
 * Runs a command from the root of the repository and passes its output on as it comes.
 * `quiet` sends all of it to stderr.
 */
export function run(command, args, { env = {}, quiet = false } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['ignore', quiet ? 2 : 'inherit', 'inherit'],
      // npm and the commands in node_modules/.bin are batch files there.
      shell: process.platform === 'win32',
    })
    child.once('error', (error) => {
      const reason = error.code === 'ENOENT' ? 'it was not found on the PATH' : error.message
      reject(new StepFailed(`${command} could not be started: ${reason}`))
    })
    child.once('exit', (code, signal) => {
      if (code === 0) resolve()
      else reject(new StepFailed(`${shortened(command, args)}: ${signal ?? `exit ${code}`}`))
    })
  })
}

/** A command as one would name it: without folders, and without the list of files at its end. */
function shortened(command, args) {
  const words = args.length > WORDS_SHOWN ? [...args.slice(0, WORDS_SHOWN), '…'] : args
  return [basename(command), ...words].join(' ')
}

/** A command that `npm ci` has put into node_modules. */
export const local = (name) => join(ROOT, 'node_modules', '.bin', name)

/** Runs cargo; a lock file that is out of date is an error in CI and updated elsewhere. */
export function cargo(args, options) {
  const [subcommand, ...rest] = args
  const words = subcommand === 'nextest' ? [subcommand, rest.shift()] : [subcommand]
  return run('cargo', [...words, ...(IN_CI ? ['--locked'] : []), ...rest], options)
}

const ATTEMPTS = 3

/** Does what may fail by chance, such as a download, a few times; `failed` makes the last failure. */
export async function attempted(work, failed = (error) => error) {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === ATTEMPTS) throw failed(error)
      process.stderr.write(`${error.message}\ntrying again\n`)
    }
  }
}

/** Does one step of a longer work and prints its name before and its time after. */
export async function step(title, work) {
  const started = performance.now()
  process.stderr.write(`▸ ${title}\n`)
  const result = await work()
  process.stderr.write(`  ${title}: ${seconds(performance.now() - started)}\n`)
  return result
}

/**
 * Runs parts, `{ name, needs, run }`, one after another, then prints a table of them.
 * A part that fails does not stop the others; those that need it count as failed too. What a part
 * leaves for later ones it ends by what it gives to `run(atEnd)`.
 *
 * @param only names of the parts wanted, with what they need; all of them when empty
 * @returns the exit code
 */
export async function runParts(parts, only = []) {
  const unknown = only.filter((name) => !parts.some((part) => part.name === name))
  if (unknown.length > 0) {
    const names = parts.map(({ name }) => name).join(' ')
    process.stderr.write(`no such part: ${unknown.join(' ')} (there are: ${names})\n`)
    return 2
  }
  const results = new Map()
  const ends = []
  for (const part of chosen(parts, only)) {
    const missing = (part.needs ?? []).find((name) => results.get(name).failure)
    results.set(
      part.name,
      missing ? { ms: 0, failure: `not run: ${missing} failed` } : await outcome(part, ends),
    )
  }
  for (const end of ends.reverse()) await end()
  printTable(results)
  return [...results.values()].some(({ failure }) => failure) ? 1 : 0
}

/** The parts in their own order, reduced to those named and those that these need. */
function chosen(parts, only) {
  if (only.length === 0) return parts
  const wanted = new Set()
  const add = (name) => {
    wanted.add(name)
    for (const need of parts.find((part) => part.name === name).needs ?? []) add(need)
  }
  only.forEach(add)
  return parts.filter(({ name }) => wanted.has(name))
}

async function outcome({ name, run: work }, ends) {
  const started = performance.now()
  process.stdout.write(`\n━━ ${name}\n`)
  try {
    await work((end) => ends.push(end))
    return { ms: performance.now() - started }
  } catch (error) {
    const failure = error instanceof StepFailed ? error.message : error.stack
    process.stdout.write(`${failure}\n`)
    return { ms: performance.now() - started, failure }
  }
}

function printTable(results) {
  const width = Math.max(...[...results.keys()].map((name) => name.length))
  process.stdout.write('\n')
  for (const [name, { ms, failure }] of results) {
    const result = failure ? `FAILED  ${failure.split('\n')[0]}` : 'ok'
    process.stdout.write(`${name.padEnd(width)}  ${seconds(ms).padStart(8)}  ${result}\n`)
  }
  const failed = [...results.values()].filter(({ failure }) => failure).length
  process.stdout.write(`parts: ${results.size - failed} passed, ${failed} failed\n`)
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`

/** Whether a module was started as a program and not imported. */
export const isMain = (url) => process.argv[1] === fileURLToPath(url)

/** Runs the body of a script that is nothing but steps, and ends with one line when one fails. */
export async function main(work) {
  try {
    await work()
  } catch (error) {
    process.stderr.write(`${error instanceof StepFailed ? error.message : error.stack}\n`)
    process.exitCode = 1
  }
}
