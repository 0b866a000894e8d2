// The part of the tests' run that starts the servers which its later parts share.

import { IN_CI, StepFailed, step } from '../steps.mjs'
import { NAMES, startNamed, variableOf } from './set.mjs'

/**
 * Starts the set, tells later parts by variables where it is, and ends it with the run. A server
 * whose variable is set is somebody else's and left alone.
 *
 * Where one cannot be started, CI fails, and anybody else runs what tests are left.
 */
export async function shareServers(atEnd) {
  const wanted = NAMES.filter((name) => !process.env[variableOf(name)])
  const failures = await Promise.all(wanted.map((name) => share(name, atEnd)))
  const told = failures.filter((failure) => failure !== undefined).join('\n')
  if (told === '') return
  if (IN_CI) throw new StepFailed(told)
  process.stderr.write(`\n!! TESTS ARE SKIPPED, those of servers that did not start:\n${told}\n\n`)
}

/** What went wrong, if anything did. */
async function share(name, atEnd) {
  try {
    const started = await step(`start ${name}`, () => startNamed(name))
    atEnd(() => started.stop())
    process.env[variableOf(name)] = started.url
  } catch (error) {
    return `${name}: ${error instanceof StepFailed ? error.message : error.stack}`
  }
}
