// `npm run bench`: the speed and the memory of mintid, each figure beside its limit.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from '../scripts/build.mjs'
import { optionsOf } from '../scripts/options.mjs'
import { setup } from '../scripts/setup.mjs'
import { cargo, main, ROOT, step } from '../scripts/steps.mjs'
import { findNodes } from './nodes.mjs'
import { help, parseOptions } from './options.mjs'
import { asJson, asPage, asTable, circumstances, verdict } from './report.mjs'

/** One file each. They import the package, which may have to be built first. */
const FILES = {
  next: 'next',
  nextSync: 'next-sync',
  fill: 'fill',
  rust: 'rust-draw',
  nativeCalls: 'native-calls',
  waits: 'waits',
  idleMemory: 'idle-memory',
  batchMemory: 'batch-memory',
  redisNext: 'redis-next',
  redisScript: 'redis-script',
  snowflake: 'snowflake',
  coldStart: 'cold-start',
  coldStartSqlite: 'cold-start-sqlite',
}

await main(async () => {
  const options = optionsOf('bench', (args) => parseOptions(args, Object.keys(FILES)))
  if (options === undefined) return
  if (options.help) {
    process.stdout.write(help(Object.keys(FILES)))
    return
  }
  if (options.build) {
    await setup()
    await build({ release: true })
  }
  const questions = await Promise.all(options.only.map(load))
  if (options.build) await buildPrograms(questions.flatMap(({ programs = [] }) => programs))
  const nodes = await findNodes()
  const there = circumstances()
  const answered = []
  for (const question of questions) {
    try {
      answered.push(await step(question.title, () => answerTo(question, nodes)))
    } catch (error) {
      // The other figures are still worth having.
      process.stderr.write(`!! NOT MEASURED: ${error.message}\n`)
      process.exitCode = 1
    }
  }
  const rows = answered.flatMap((answer) => answer.rows)
  process.stdout.write(options.json ? asJson(there, rows) : asTable(there, answered))
  if (options.write && process.exitCode === undefined) {
    write('docs/benchmarks.md', asPage(there, answered))
  }
})

async function load(name) {
  const { question } = await import(`./questions/${FILES[name]}.mjs`)
  return question
}

/** Built apart, so that the compiler does not run while something is measured. */
async function buildPrograms(names) {
  if (names.length === 0) return
  const benches = names.flatMap((name) => ['--bench', name])
  await step('build the Rust programs', () =>
    cargo(['bench', '--no-run', '-p', 'mintid', ...benches], { quiet: true }),
  )
}

async function answerTo(question, nodes) {
  const rows = await question.ask({ nodes })
  return {
    title: question.title,
    rows: rows.map(({ name, figure, limit, aim, detail }) => ({
      name,
      figure,
      unit: question.unit,
      limit,
      ...(aim !== undefined && { aim }),
      ok: verdict({ figure, limit }),
      detail,
    })),
  }
}

function write(path, text) {
  const file = join(ROOT, path)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, text)
  process.stderr.write(`wrote ${path}\n`)
}
