// How close Snowflake ids come to the most that their layout can hold: 4,096 a millisecond.

import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { connect } from 'mintid'
import { isMain } from '../../scripts/steps.mjs'
import { Growing } from '../checks.mjs'
import { answer, runNode } from '../programs.mjs'
import { Progress } from '../progress.mjs'

const FILE = fileURLToPath(import.meta.url)
const SECONDS = 10
const PER_SECOND = 4_096_000
const BATCH = 4_096
/** Ids between two looks at the clock. */
const TURN = 4_096
const THREADS = 4

/** The least share of the ceiling that each way of drawing has to reach. */
const WAYS = { next: 0.97, nextSync: 0.98, nextBatch: 0.98 }

export const question = {
  name: 'snowflake',
  title: `the layout's ${PER_SECOND.toLocaleString('en-US')} Snowflake ids/s ÷ those minted, over ${SECONDS} s`,
  unit: '×',
  async ask() {
    const ways = [...Object.keys(WAYS), 'threads']
    const progress = new Progress(ways.length)
    const details = {}
    for (const way of ways) {
      details[way] = await runNode(process.execPath, FILE, [], [way])
      progress.step(way)
    }
    const rows = Object.entries(WAYS).map(([way, least]) => ({
      name: `snowflake ${way}`,
      figure: PER_SECOND / details[way].perSecond,
      limit: 1 / least,
      detail: details[way],
    }))
    const { perSecond } = details.threads
    rows.push({
      name: `snowflake next, one thread ÷ ${THREADS} threads together`,
      figure: details.next.perSecond / perSecond,
      // As many: what they share is the clock.
      limit: 1.01,
      detail: details.threads,
    })
    return rows
  },
}

const DRAWS = {
  async next(events, growing) {
    let last
    for (let i = 0; i < TURN; i++) last = await events.next()
    growing.advance(last, TURN)
    return TURN
  },
  nextSync(events, growing) {
    let drawn = 0
    let last
    // It spins for a millisecond at most, and a busy machine may take that from it.
    try {
      for (; drawn < TURN; drawn++) last = events.nextSync()
    } catch (error) {
      if (error.code !== 'ERR_MINTID_SEGMENT_EMPTY') throw error
    }
    if (last !== undefined) growing.advance(last, drawn)
    return drawn
  },
  async nextBatch(events, growing) {
    const ids = await events.nextBatch(BATCH)
    growing.advance(ids[BATCH - 1], BATCH)
    return BATCH
  },
}

/** Draws for as long as it is measured; how many a second, and the longest that nothing ran. */
async function measure(ids, way) {
  const events = ids.snowflake('events')
  await events.ready()
  const growing = new Growing()
  const draw = DRAWS[way]
  // Warm: the compiler is done, and the block has its size.
  for (let i = 0; i < 500; i++) await draw(events, growing)
  let drawn = 0
  const started = performance.now()
  while (performance.now() - started < SECONDS * 1_000) drawn += await draw(events, growing)
  const seconds = (performance.now() - started) / 1_000
  return { perSecond: drawn / seconds, wasted: events.stats().wasted }
}

async function measureThreads() {
  // The lease is the process's: it is held before the threads begin.
  const ids = await connect('memory:threads')
  await ids.snowflake('events').ready()
  const answers = await Promise.all(
    Array.from({ length: THREADS }, () => {
      const worker = new Worker(FILE, { workerData: { way: 'next', url: 'memory:threads' } })
      return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject))
    }),
  )
  await ids.close()
  const perSecond = answers.reduce((sum, each) => sum + each.perSecond, 0)
  return { perSecond, wasted: answers[0].wasted }
}

if (!isMainThread && workerData?.way !== undefined) {
  const ids = await connect(workerData.url)
  parentPort.postMessage(await measure(ids, workerData.way))
  await ids.close()
} else if (isMain(import.meta.url)) {
  const [way] = process.argv.slice(2)
  if (way === 'threads') {
    answer(await measureThreads())
  } else {
    const ids = await connect('memory:')
    answer(await measure(ids, way))
    await ids.close()
  }
}
