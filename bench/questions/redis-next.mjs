// Whether an awaited id costs more where its segments come from a Redis.

import { fileURLToPath } from 'node:url'
import { connect } from 'mintid'
import { startRedis } from '../../scripts/servers/redis.mjs'
import { isMain } from '../../scripts/steps.mjs'
import { Growing, waste } from '../checks.mjs'
import { answer, runNode } from '../programs.mjs'
import { measure, medians } from '../rounds.mjs'

const PROCESSES = 5

export const question = {
  name: 'redisNext',
  title: 'awaited next() on a warm generator on Redis ÷ on memory:',
  unit: '×',
  limit: 1.05,
  async ask() {
    const answers = []
    for (let i = 0; i < PROCESSES; i++) {
      answers.push(await runNode(process.execPath, fileURLToPath(import.meta.url)))
    }
    const detail = medians(answers)
    return [{ name: question.name, figure: detail.ratio, limit: question.limit, detail }]
  },
}

if (isMain(import.meta.url)) {
  const server = await startRedis({ kind: 'valkey9' })
  const stores = { redis: await connect(server.url), memory: await connect('memory:') }
  const growing = { redis: new Growing(), memory: new Growing() }
  const loops = {}
  const generators = {}
  for (const [name, ids] of Object.entries(stores)) {
    // All that a round uses is at hand before it begins.
    const orders = ids.segment('orders', { step: 1_000_000, maxBatch: 1_000_000, keep: 1_000_000 })
    generators[name] = orders
    loops[name] = async (count) => {
      let last
      for (let i = 0; i < count; i++) last = await orders.next()
      return last
    }
  }
  const check = (name, last, count) => growing[name].advance(last, count)
  const before = (count) =>
    Promise.all(Object.values(generators).map((orders) => orders.ready({ count })))
  const { redis, memory } = await measure(loops, { before, check, most: 500_000 })
  answer({ redis, memory, ratio: redis / memory, ...waste(generators.redis.stats()) })
  for (const ids of Object.values(stores)) await ids.close()
  await server.stop()
}
