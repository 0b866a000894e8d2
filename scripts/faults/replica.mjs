// A master and its replica, and what parts them: the replica is led to a master that there is not,
// so that it keeps what it has and misses all that follows. A replica that is merely stopped would
// still find the rest in its socket.

import { startRedis } from '../servers/redis.mjs'
import { until } from '../servers/until.mjs'

const LINKED_MS = 10_000
const NOWHERE = ['127.0.0.1', '1']

/** Starts a master and a replica that has all of its data. */
export async function startPair(own, { kind = 'redis8', args = [] } = {}) {
  const master = await own(startRedis({ kind, args }))
  const replica = await own(startRedis({ kind, args }))
  await follow(replica, master)
  return [master, replica]
}

/** Makes a server the replica of another, and waits until it has what that one has. */
export async function follow(replica, master) {
  await replica.call('REPLICAOF', '127.0.0.1', master.port)
  await until(`port ${replica.port} follows port ${master.port}`, LINKED_MS, async () => {
    const { master_link_status: link, master_port: port } = await replica.info('replication')
    return link === 'up' && Number(port) === master.port
  })
}

/** Cuts a replica off. What its master is told from now on it does not hear. */
export const cutOff = (replica) => replica.call('REPLICAOF', ...NOWHERE)

/** Makes a replica a master of its own. */
export const promote = (replica) => replica.call('REPLICAOF', 'NO', 'ONE')
