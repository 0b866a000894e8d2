// Waiting for what a server tells only when it is asked.

import { setTimeout as sleep } from 'node:timers/promises'
import { StepFailed } from '../steps.mjs'

const PAUSE_MS = 20

/** Asks again until the answer is true. An answer that fails is one that is not true yet. */
export async function until(what, ms, condition) {
  const end = performance.now() + ms
  let last
  while (performance.now() < end) {
    try {
      if (await condition()) return
      last = undefined
    } catch (error) {
      last = error
    }
    await sleep(PAUSE_MS)
  }
  throw new StepFailed(`${what}: not so after ${ms} ms${last ? ` (${last.message})` : ''}`)
}
