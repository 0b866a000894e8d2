// A master, its replica, and three Sentinels that watch them.

import { join } from 'node:path'
import { allOrNone, nodesOf, stopAll } from './group.mjs'
import { startRedis } from './redis.mjs'
import { until } from './until.mjs'

const SERVICE = 'mymaster'
const SENTINELS = 3
const QUORUM = 2
const READY_MS = 20_000
const SETTINGS = ['down-after-milliseconds', 1_000, 'failover-timeout', 3_000]

/**
 * Starts them and waits until all know each other.
 *
 * @param kind `valkey9`, or another one that `startRedis` knows
 * @param args words for the command line of master and replica
 * @param folder where they work, each in a folder of its own; temporary ones without it
 */
export async function startSentinel({ args = [], folder, ...options } = {}) {
  const inFolder = (name) => ({ ...options, folder: folder && join(folder, name) })
  const starts = [
    startRedis({ ...inFolder('master'), args }),
    ...Array.from({ length: SENTINELS }, (_, at) =>
      startRedis({ ...inFolder(`sentinel${at + 1}`), isSentinel: true }),
    ),
  ]
  const [master, ...sentinels] = await allOrNone(starts)
  const group = new SentinelGroup(master, sentinels)
  try {
    const following = ['--replicaof', '127.0.0.1', String(master.port)]
    group.replica = await startRedis({ ...inFolder('replica'), args: [...following, ...args] })
    await group.watch()
  } catch (error) {
    await group.stop()
    throw error
  }
  return group
}

class SentinelGroup {
  /** Who was started as what; a failover swaps the roles of the first two, not the names. */
  master
  replica
  sentinels

  constructor(master, sentinels) {
    this.master = master
    this.sentinels = sentinels
  }

  get url() {
    const [first, ...others] = this.sentinels
    const name = `sentinelServiceName=${SERVICE}`
    return `redis-sentinel://127.0.0.1:${first.port}/0?${name}&${nodesOf(others)}`
  }

  /** The server that a Sentinel names as the master now. */
  async current() {
    const address = await this.sentinels[0].call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', SERVICE)
    return [this.master, this.replica].find(({ port }) => port === Number(address[1]))
  }

  /** Every process that is a part of it. */
  get servers() {
    return [this.master, this.replica, ...this.sentinels]
  }

  async stop() {
    // First, or they would begin to replace the master.
    await stopAll(this.sentinels)
    await stopAll([this.replica, this.master].filter(Boolean))
  }

  /** Leads the Sentinels, which know nothing at first, to the master. */
  async watch() {
    await until('the replica follows the master', READY_MS, async () => {
      const { slave0 } = await this.master.info('replication')
      return slave0?.includes('state=online')
    })
    const place = ['127.0.0.1', this.master.port, QUORUM]
    for (const sentinel of this.sentinels) {
      await sentinel.call('SENTINEL', 'MONITOR', SERVICE, ...place)
      await sentinel.call('SENTINEL', 'SET', SERVICE, ...SETTINGS)
    }
    await until('the Sentinels know each other', READY_MS, async () => {
      const infos = await Promise.all(this.sentinels.map((each) => each.info('sentinel')))
      return infos.every(({ master0 }) => /status=ok,.*slaves=1,sentinels=3/.test(master0))
    })
  }
}
