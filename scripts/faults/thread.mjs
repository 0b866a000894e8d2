// A thread of a process of the fleet, which mints and tells what it saw.

import { parentPort, workerData } from 'node:worker_threads'
import { Realm } from './realm.mjs'

const PROGRESS_EVERY_MS = 50

const realm = new Realm(workerData)
const progress = setInterval(
  () => parentPort.postMessage({ kind: 'progress', ...realm.progress }),
  PROGRESS_EVERY_MS,
)

parentPort.on('message', async (word) => {
  if (word !== 'stop') {
    realm.tell(word)
    return
  }
  const report = await realm.stop()
  clearInterval(progress)
  parentPort.postMessage({ kind: 'ended', ...report })
  parentPort.close()
})
