// `npm run faults -- STORE [SCENARIO…]`: processes mint while harm is done to their store, and no id
// comes twice.

import { build } from './build.mjs'
import { HELP, parseOptions } from './faults/options.mjs'
import { asJson, asList, asTable, hasFailed } from './faults/report.mjs'
import { runScenarios } from './faults/run.mjs'
import { optionsOf } from './options.mjs'
import { setup } from './setup.mjs'
import { main } from './steps.mjs'

await main(async () => {
  const options = optionsOf('faults', parseOptions)
  if (options === undefined) return
  if (options.help || options.list) {
    process.stdout.write(options.help ? HELP : asList(options.scenarios))
    return
  }
  if (options.build) {
    await setup()
    await build({ release: true })
  }
  const results = await runScenarios(options.runs)
  process.stdout.write(options.json ? asJson(results) : asTable(results))
  if (results.some(hasFailed)) process.exitCode = 1
})
