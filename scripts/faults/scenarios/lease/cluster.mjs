import { startRedis } from '../../../servers/redis.mjs'
import { clusterWorker } from '../../cluster-worker.mjs'
import { found, LONGEST_CLAIM_MS, leased } from '../../lease.mjs'

const PROCESSES = 8
/** Beside the main one of each process. */
const THREADS = 3
/** Of each thread: fewer than elsewhere, as there are many threads. */
const CALLERS = 4
const snowflake = leased(PROCESSES)

export const cluster = {
  name: 'cluster',
  about: `${PROCESSES} workers of node:cluster, each with ${THREADS + 1} threads, share ${PROCESSES} numbers`,
  seconds: 8,
  gapMs: LONGEST_CLAIM_MS,
  snowflake,
  async run({ fleet, own, spell }) {
    const server = await own(startRedis({ kind: 'valkey9' }))
    await found(fleet, server.url, snowflake)
    const stores = Array(PROCESSES).fill(server.url)
    const how = { launch: clusterWorker, threads: THREADS, callers: CALLERS }
    const minters = await fleet.start(stores, {}, how)
    await spell(1)
    const numbers = new Set(minters.map(({ machine }) => machine))
    if (numbers.size !== PROCESSES) fleet.complaints.push(`${numbers.size} numbers are in use`)
  },
}
