// Whether memory stays flat in a loop that asks for arrays and never comes back to the event loop.

import { fileURLToPath } from 'node:url'
import { createIds } from 'mintid'
import { isMain } from '../../scripts/steps.mjs'
import { Growing, waste } from '../checks.mjs'
import { answer, runNode } from '../programs.mjs'
import { Progress } from '../progress.mjs'

const BATCHES = 20_000
const SIZE = 100_000
const LOOK_EVERY = 500

export const question = {
  name: 'batchMemory',
  title: 'RSS after 20,000 nextBatch(100000) in a loop, over RSS before',
  unit: 'MiB',
  limit: 200,
  async ask() {
    const detail = await runNode(process.execPath, fileURLToPath(import.meta.url))
    const figure = detail.after - detail.before
    return [{ name: question.name, figure, limit: question.limit, detail }]
  },
}

const mebibytes = () => process.memoryUsage.rss() / 2 ** 20

if (isMain(import.meta.url)) {
  const ids = createIds('memory:')
  const orders = ids.segment('orders')
  const growing = new Growing()
  const progress = new Progress(BATCHES / LOOK_EVERY)
  const before = mebibytes()
  let highest = before
  for (let i = 1; i <= BATCHES; i++) {
    const batch = await orders.nextBatch(SIZE)
    growing.advance(batch[SIZE - 1], SIZE)
    if (i % LOOK_EVERY > 0) continue
    highest = Math.max(highest, mebibytes())
    progress.step(`${i} batches`)
  }
  const after = mebibytes()
  answer({ before, after, highest, ...waste(orders.stats()) })
  await ids.close()
}
