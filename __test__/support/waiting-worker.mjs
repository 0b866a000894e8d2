// A worker thread all of whose calls wait for a refill, again and again, until it is terminated or
// ends itself.

import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import { createIds } from 'mintid'

const PAUSE_MS = 10

const orders = createIds(workerData.url).segment('orders')

async function insist(call) {
  for (;;) await call().catch(() => sleep(PAUSE_MS))
}

insist(() => orders.next())
insist(() => orders.nextBatch(5))
insist(() => orders.fill(new BigUint64Array(5)))
insist(() => orders.nextRange(5))
insist(() => orders.ready({ count: 500 }))
parentPort.postMessage('waits')
if (workerData.endsItself) setImmediate(() => process.exit(0))
