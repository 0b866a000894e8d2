// One run of one scenario: a fleet, what the scenario does to its store, and the judgement.

import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StepFailed } from '../steps.mjs'
import { Fleet } from './fleet.mjs'
import { judge } from './judge.mjs'

/**
 * Runs `scenario` for about `seconds`, with all that it writes in `folder`. Processes are given
 * `options` beside those of the scenario, and `onStart` the fleet, to look at while it mints. A
 * scenario that breaks off has failed, as has one in which an id came twice: nothing is thrown.
 */
export async function runScenario(scenario, { seconds, folder, options, onStart }) {
  const own = mkdtempSync(join(folder, `${scenario.name}-`))
  const fleet = new Fleet(own, { options, snowflake: scenario.snowflake })
  const owned = []
  onStart?.(fleet)
  try {
    await scenario.run({
      fleet,
      /** Something with `stop()` that goes with the scenario; given back when it is there. */
      own: async (starting) => {
        const thing = await starting
        owned.push(thing)
        return thing
      },
      /** Lets the fleet mint for a part of the scenario's time. */
      spell: (part) => sleep(part * seconds * 1_000),
    })
    await fleet.resumed()
  } catch (error) {
    const what = error instanceof StepFailed ? error.message : error.stack
    fleet.complaints.push(`the scenario broke off: ${what}`)
  }
  // The store is there until nobody uses it any more.
  await fleet.stop()
  const broken = await Promise.allSettled(owned.reverse().map((thing) => thing.stop()))
  for (const { reason } of broken.filter(({ status }) => status === 'rejected')) {
    fleet.complaints.push(`what the scenario started does not stop: ${reason.message}`)
  }
  const figures = judge(fleet, scenario)
  rmSync(own, { recursive: true, force: true, maxRetries: 5 })
  return { scenario: scenario.name, ...figures }
}
