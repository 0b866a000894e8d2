// Runs scenarios one after another, and shows on stderr how far each is.

import { grouped } from '../demo/progress.mjs'
import { temporaryFolder } from '../folder.mjs'
import { StepFailed } from '../steps.mjs'
import { asTable, hasFailed } from './report.mjs'
import { SHORT } from './scenarios.mjs'
import { runScenario } from './trial.mjs'

const SHOW_EVERY_MS = 200

/** The results of `[scenario, seconds]` each, in their order. */
export async function runScenarios(runs) {
  const folder = temporaryFolder('faults')
  const results = []
  for (const [scenario, seconds] of runs) results.push(await run(scenario, seconds, folder))
  return results
}

/** The part of the checks that runs the short forms: prints their tables, and fails if any of them does. */
export async function checkFaults() {
  const failed = []
  for (const runs of Object.values(SHORT)) {
    const results = await runScenarios(runs)
    process.stdout.write(`${asTable(results)}\n`)
    failed.push(...results.filter(hasFailed))
  }
  if (failed.length > 0) throw new StepFailed(failed.map(({ scenario }) => scenario).join(', '))
}

async function run(scenario, seconds, folder) {
  const { stderr } = process
  const leftOut = await scenario.impossible?.()
  if (leftOut !== undefined) {
    stderr.write(`!! LEFT OUT ${scenario.name}: ${leftOut}\n`)
    return { scenario: scenario.name, leftOut }
  }
  const started = performance.now()
  const elapsed = () => `${((performance.now() - started) / 1_000).toFixed(1)} s`
  let timer
  stderr.write(`▸ ${scenario.name}: ${scenario.about}\n`)
  const onStart = (fleet) => {
    if (!stderr.isTTY) return
    const show = () => stderr.write(`\r  ${elapsed()}  ${grouped(fleet.minted)} ids\x1b[K`)
    timer = setInterval(show, SHOW_EVERY_MS)
  }
  const result = await runScenario(scenario, { seconds, folder, onStart })
  clearInterval(timer)
  const { ids, duplicates, complaints } = result
  const verdict = complaints.length === 0 ? 'ok' : complaints[0].split('\n')[0]
  const line = `  ${elapsed()}  ${grouped(ids)} ids, ${grouped(duplicates)} duplicates: ${verdict}`
  stderr.write(`${stderr.isTTY ? '\r' : ''}${line}${stderr.isTTY ? '\x1b[K' : ''}\n`)
  return result
}
