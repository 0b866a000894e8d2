// One process of the fleet: callers take ids at a steady pace while they are told to, and go on
// whatever fails. An error that nobody caught ends it, which is what must never happen.

import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createIds } from 'mintid'
import { now } from './clock.mjs'
import { Record } from './record.mjs'

const GENERATOR = 'orders'
/** Small, so that many ranges are reserved: each is a chance of being granted twice. */
const SEGMENT = { step: 100, lookahead: 20 }
const EVENTS = ['refill', 'refillFailed', 'jumped', 'storeWentBack', 'created']

/** So many callers, each with so many ids and then a pause: some 3,000 ids a second. */
const CALLERS = 16
const BURST = 16
const PAUSE_MS = { least: 40, most: 120 }
/** Of so many bursts one is a batch. */
const BATCH_EVERY = 16
const BATCH = 50

const PROGRESS_EVERY_MS = 50

// Without its parent a process would mint for nobody, for ever.
process.once('disconnect', () => process.exit(1))
process.once('message', serve)

async function serve({ store, options, file }) {
  const record = new Record(file)
  const ids = createIds(store, options)
  const orders = ids.segment(GENERATOR, SEGMENT)
  for (const event of EVENTS) ids.on(event, () => record.happened(event))
  const told = listen()
  const callers = Array.from({ length: CALLERS }, (_, i) => call(orders, record, told, i))
  process.send({ kind: 'ready' })

  const progress = setInterval(
    () => process.send({ kind: 'progress', minted: record.minted, lastAt: record.lastAt }),
    PROGRESS_EVERY_MS,
  )
  while (told.word !== 'stop') {
    await told.next
    if (told.word === 'mint') record.begin()
    if (told.word === 'rest') record.rest()
  }
  await Promise.all(callers)
  clearInterval(progress)
  record.end()
  await ids.close()
  process.send({ kind: 'ended', ...record.report() }, () => process.exit())
}

/** What the parent said last, `rest`, `mint` or `stop`, and when it says something else. */
function listen() {
  const told = { word: 'rest' }
  const hear = () => {
    told.next = once(process, 'message').then(([word]) => {
      told.word = word
      hear()
    })
  }
  hear()
  return told
}

async function call(orders, record, told, number) {
  for (let turn = number; told.word !== 'stop'; turn++) {
    if (told.word === 'rest') {
      await told.next
      continue
    }
    const take = turn % BATCH_EVERY === 0 ? takeBatch : takeOneByOne
    await take(orders, record)
    await sleep(PAUSE_MS.least + Math.random() * (PAUSE_MS.most - PAUSE_MS.least))
  }
}

async function takeBatch(orders, record) {
  const batch = await measured(record, () => orders.nextBatch(BATCH))
  if (batch !== undefined) record.write(batch)
}

async function takeOneByOne(orders, record) {
  const taken = []
  while (taken.length < BURST) {
    const id = await measured(record, () => orders.next())
    if (id === undefined) break
    taken.push(id)
  }
  record.write(BigUint64Array.from(taken))
}

/** What a call gives, or nothing where it fails. */
async function measured(record, take) {
  const started = now()
  try {
    const taken = await take()
    record.served(now(), taken.length)
    return taken
  } catch (error) {
    record.failed(error)
  } finally {
    record.waited(started, now())
  }
}
