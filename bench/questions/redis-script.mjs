// How much more a reservation costs a Redis than the plain command that others would use.

import { connect } from 'mintid'
import { startRedis } from '../../scripts/servers/redis.mjs'
import { median } from '../rounds.mjs'

const KINDS = ['redis7', 'redis8', 'valkey9']
const ROUNDS = 7
const CALLS = 3_000

export const question = {
  name: 'redisScript',
  title: 'server time of one reservation ÷ a plain HINCRBY, each awaited',
  unit: '×',
  limit: 4,
  async ask() {
    const rows = []
    for (const kind of KINDS) rows.push(await compare(kind))
    return rows
  },
}

async function compare(kind) {
  const server = await startRedis({ kind })
  const ids = await connect(server.url)
  try {
    const orders = ids.segment('orders')
    const works = {
      reserve: () => orders.nextRange(1),
      hincrby: () => server.call('HINCRBY', 'plain', 'orders', '1'),
    }
    const times = { reserve: [], hincrby: [] }
    // The first round of each warms up.
    for (let round = 0; round <= ROUNDS; round++) {
      for (const [name, work] of Object.entries(works)) {
        const us = await serverTime(server, work)
        if (round > 0) times[name].push(us)
      }
    }
    const detail = { reserve_us: median(times.reserve), hincrby_us: median(times.hincrby) }
    const figure = detail.reserve_us / detail.hincrby_us
    return { name: `redisScript ${kind}`, figure, limit: question.limit, detail }
  } finally {
    await ids.close()
    await server.stop()
  }
}

/** How long the server works for one of `CALLS` calls, in µs of its processor. */
async function serverTime(server, work) {
  const before = await used(server)
  for (let i = 0; i < CALLS; i++) await work()
  return (((await used(server)) - before) / CALLS) * 1e6
}

async function used(server) {
  const cpu = await server.info('cpu')
  return Number(cpu.used_cpu_user) + Number(cpu.used_cpu_sys)
}
