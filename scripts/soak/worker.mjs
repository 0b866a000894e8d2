// One worker thread of the soak: mints in every way there is, and writes the ids down as it goes.

import { closeSync, openSync, writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { createIds } from 'mintid'

/** What is taken at once, and how long a pause follows, at most. */
const LARGEST_BURST = 500
const LONGEST_PAUSE_MS = 15
/** How long a caller waits that gives up soon, at most. */
const LONGEST_PATIENCE_MS = 5

const { store, generator, options, file } = workerData
const ids = createIds(store)
const orders = ids.segment(generator, options)
const out = openSync(file, 'w')
/** Ranges are reserved apart from all other ids, and so have an order of their own. */
const ranges = openSync(`${file}.ranges`, 'w')

let isStopping = false
parentPort.once('message', () => {
  isStopping = true
})

/** The greatest integer below `n` that chance gives. */
const below = (n) => Math.floor(Math.random() * n)
const signal = () => AbortSignal.timeout(1 + below(LONGEST_PATIENCE_MS))

const WAYS = [
  (count) => oneByOne(count, () => orders.next()),
  (count) => oneByOne(count, () => orders.next({ signal: signal() })),
  (count) => oneByOne(count, () => orders.tryNext()),
  async (count) => write(out, await orders.nextBatch(count)),
  async (count) => write(out, await orders.nextBatch(count, { signal: signal() })),
  async (count) => write(out, await orders.fill(new BigUint64Array(count))),
  async (count) => write(ranges, wholeRange(await orders.nextRange(count))),
]

while (!isStopping) {
  try {
    parentPort.postMessage({ minted: await WAYS[below(WAYS.length)](1 + below(LARGEST_BURST)) })
  } catch (error) {
    if (!error.retryable && error.name !== 'TimeoutError') throw error
    parentPort.postMessage({ refused: 1 })
  }
  await sleep(below(LONGEST_PAUSE_MS))
}
for (const each of [out, ranges]) closeSync(each)
await ids.close()

/** Ids that came before one failed are ids all the same. */
async function oneByOne(count, take) {
  const taken = []
  try {
    for (let id = await take(); id !== undefined; id = await take()) {
      if (taken.push(id) === count) break
    }
  } finally {
    write(out, BigUint64Array.from(taken))
  }
  return taken.length
}

function wholeRange({ start, end }) {
  return BigUint64Array.from({ length: Number(end - start) }, (_, i) => start + BigInt(i))
}

function write(to, { buffer, byteOffset, byteLength, length }) {
  for (let written = 0; written < byteLength; ) {
    written += writeSync(to, new Uint8Array(buffer, byteOffset + written, byteLength - written))
  }
  return length
}
