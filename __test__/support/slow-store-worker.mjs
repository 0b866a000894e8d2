// A worker thread all of whose calls wait for a store of its own, which answers after a while, and
// that listens to everything; until it is terminated.

import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort } from 'node:worker_threads'
import { createIds } from 'mintid'
import { TableStore } from './own-store.mjs'

const ANSWERS_AFTER_MS = 20

class SlowStore extends TableStore {
  async reserve(...request) {
    await sleep(ANSWERS_AFTER_MS)
    return super.reserve(...request)
  }
}

const ids = createIds(new SlowStore())
const orders = ids.segment('orders', { step: 1, lookahead: 0 })
for (const emitter of [ids, orders]) emitter.on('refill', () => {}).on('refillFailed', () => {})

async function insist(call) {
  for (;;) await call()
}

insist(() => orders.next())
insist(() => orders.nextBatch(5))
insist(() => orders.nextRange(5))
// The first answers are there, and the next ones are waited for.
orders.once('refill', () => parentPort.postMessage('waits'))
