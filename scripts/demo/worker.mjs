// One worker thread of the demo: mints its share and writes the ids down as it goes.

import { closeSync, openSync, writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { createIds } from 'mintid'

/** Ids written at once: a killed process takes fewer than this, unwritten, with each worker. */
const CHUNK = 1_024
/** Of so many chunks one comes as a batch, the others id by id. */
const BATCH_EVERY = 8

const { store, generator, file, count, killAt } = workerData
const ids = createIds(store)
const orders = ids.segment(generator)
const out = openSync(file, 'w')

parentPort.once('message', mint)
parentPort.postMessage({ kind: 'ready' })

async function mint() {
  for (let minted = 0, chunk = 1; minted < count; chunk++) {
    const size = Math.min(CHUNK, count - minted)
    const batch = chunk % BATCH_EVERY === 0 || size < CHUNK
    write(batch ? await orders.nextBatch(size) : await nextOneByOne(size))
    minted += size
    parentPort.postMessage({ kind: 'minted', count: size })
    // From inside, where it is sure to be midway: a short run is over before a signal from
    // outside arrives. Nothing else is told, and nothing is flushed or closed.
    if (minted >= killAt) process.kill(process.pid, 'SIGKILL')
  }
  closeSync(out)
  parentPort.postMessage({ kind: 'finished' })
  await ids.close()
}

async function nextOneByOne(size) {
  const taken = new BigUint64Array(size)
  for (let i = 0; i < size; i++) taken[i] = await orders.next()
  return taken
}

function write({ buffer, byteOffset, byteLength }) {
  for (let written = 0; written < byteLength; ) {
    const rest = new Uint8Array(buffer, byteOffset + written, byteLength - written)
    written += writeSync(out, rest)
  }
}
