// `npm run soak`: the huge counts in full, or for as long as one likes a load in which processes
// die, stand still and fail, and no id comes twice.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from './build.mjs'
import { temporaryFolder } from './folder.mjs'
import { optionsOf } from './options.mjs'
import { setup } from './setup.mjs'
import { Load } from './soak/load.mjs'
import { HELP, parseOptions } from './soak/options.mjs'
import { asTable, figuresOf, Watch } from './soak/report.mjs'
import { WHOLE } from './soak/whole.mjs'
import { main, ROOT, run, step } from './steps.mjs'

const SHOW_EVERY_MS = 200
const TEST_TIMEOUT_MS = 1_800_000
const SHARES = ['--processes', '8', '--workers', '4', '--ids', '32000000']

await main(async () => {
  const options = optionsOf('soak', parseOptions)
  if (options === undefined) return
  if (options.help) {
    process.stdout.write(HELP)
    return
  }
  if (options.build) {
    await setup()
    await build({ release: true })
  }
  if (options.minutes === undefined) await countInFull()
  else await loadFor(options)
})

async function countInFull() {
  const tests = readdirSync(join(ROOT, '__test__')).filter((name) => /^field-.*\.mjs$/.test(name))
  const flags = ['--test', '--test-reporter=spec', `--test-timeout=${TEST_TIMEOUT_MS}`]
  // One after another, so that none takes the time of another for its own.
  const files = ['--test-concurrency=1', ...tests.map((name) => join('__test__', name))]
  const env = { [WHOLE.name]: WHOLE.value }
  await step('the tests in full', () => run(process.execPath, [...flags, ...files], { env }))
  await step('32,000,000 ids', () =>
    run(process.execPath, [join('scripts', 'demo.mjs'), '--no-build', ...SHARES]),
  )
}

async function loadFor(options) {
  const { minutes, processes, workers, json } = options
  const ms = minutes * 60_000
  process.stderr.write(`${processes} processes of ${workers} workers mint for ${minutes} minutes\n`)
  const load = new Load(options, temporaryFolder('soak'))
  const watch = new Watch(load, ms, process.stderr)
  const timer = setInterval(() => watch.show(), SHOW_EVERY_MS)
  try {
    await load.run(ms)
  } finally {
    clearInterval(timer)
    watch.end()
  }
  const figures = figuresOf(load)
  const { firstDuplicate } = load.seen
  process.stdout.write(json ? `${JSON.stringify(figures)}\n` : asTable(figures, firstDuplicate))
  if (figures.duplicates > 0 || figures.outOfOrder > 0) process.exitCode = 1
}
