// `npm run demo`: many processes mint ids of one generator from one store, and no id comes twice.

import { join } from 'node:path'
import { build } from './build.mjs'
import { Child } from './demo/child.mjs'
import { countIds, merge } from './demo/merge.mjs'
import { HELP, parseOptions } from './demo/options.mjs'
import { grouped, Progress } from './demo/progress.mjs'
import { asJson, asTable } from './demo/report.mjs'
import { temporaryFolder } from './folder.mjs'
import { optionsOf } from './options.mjs'
import { setup } from './setup.mjs'
import { main, StepFailed } from './steps.mjs'

const GENERATOR = 'orders'
const PROGRESS_EVERY_MS = 100

await main(async () => {
  const options = optionsOf('demo', parseOptions)
  if (options === undefined) return
  if (options.help) {
    process.stdout.write(HELP)
    return
  }
  if (options.build) {
    await setup()
    await build({ release: true })
  }
  const figures = await demonstrate(options)
  process.stdout.write(options.json ? asJson(options, figures) : asTable(options, figures))
  if (figures.duplicates > 0) process.exitCode = 1
})

async function demonstrate(options) {
  const folder = temporaryFolder('demo')
  const store = options.store ?? `sqlite:${join(folder, 'ids.db')}`
  const jobs = shares(options, folder).map((workers) => ({ store, generator: GENERATOR, workers }))
  const minting = await mint(options, jobs)
  checkShares(jobs, minting.killed)
  const files = jobs.flatMap(({ workers }) => workers.map(({ file }) => file))
  return { ...minting, ...merge(files) }
}

/** What each worker of each process is to mint; the first ones take what does not divide. */
function shares({ ids, processes, workers, kill }, folder) {
  const total = processes * workers
  const work = Array.from({ length: total }, (_, worker) => ({
    file: join(folder, `${worker}.ids`),
    count: Math.floor(ids / total) + (worker < ids % total ? 1 : 0),
  }))
  if (kill) work[0].killAt = work[0].count / 2
  return Array.from({ length: processes }, (_, i) => work.slice(i * workers, (i + 1) * workers))
}

async function mint({ ids, processes, workers }, jobs) {
  const progress = new Progress(ids, process.stderr)
  progress.say(`${processes} processes of ${workers} workers mint ${grouped(ids)} ids`)
  const children = jobs.map((job) => new Child(job))
  try {
    const seconds = await race(children, progress)
    const stats = await Promise.all(children.map((child) => child.stats))
    return {
      seconds,
      killed: children.map((child) => child.killed),
      refills: sum(stats.map(({ refills }) => refills)),
      waste: sum(stats.map(({ waste }) => waste)),
    }
  } finally {
    for (const child of children) child.stop()
  }
}

/** The seconds from the word to start, when every worker stands ready, to the last written id. */
async function race(children, progress) {
  await Promise.all(children.map((child) => child.ready))
  const started = performance.now()
  const elapsed = () => (performance.now() - started) / 1000
  const show = () => progress.show(sum(children.map(({ minted }) => minted)), elapsed())
  const timer = setInterval(show, PROGRESS_EVERY_MS)
  try {
    for (const child of children) child.start()
    await Promise.all(children.map((child) => child.finished))
    show()
    return elapsed()
  } finally {
    clearInterval(timer)
    progress.end()
  }
}

/** An id that was lost on its way to the file would not be a duplicate, and not be noticed. */
function checkShares(jobs, killed) {
  for (const [i, { workers }] of jobs.entries()) {
    if (killed[i]) continue
    for (const { file, count } of workers) {
      const written = countIds(file)
      if (written !== count) throw new StepFailed(`a worker wrote ${written} ids of ${count}`)
    }
  }
}

function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}
