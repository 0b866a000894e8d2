import { startCluster } from '../../servers/cluster.mjs'

const KEY = 'kvid'
const MIGRATE_TIMEOUT_MS = 5_000

export const slotMove = {
  name: 'slot-move',
  about: 'the slot of the counters is moved to another node of a cluster, and back',
  seconds: 20,
  jumps: 2,
  async run({ fleet, own, spell }) {
    const cluster = await own(startCluster())
    await fleet.start(cluster.url)
    const from = await cluster.owner(KEY)
    const to = cluster.nodes.find((node) => node !== from)
    await spell(1 / 4)
    await move(cluster, from, to, () => spell(1 / 16))
    await fleet.resumed()
    await spell(1 / 4)
    await move(cluster, to, from, () => spell(1 / 16))
    await fleet.resumed()
    await spell(1 / 4)
  },
}

/** Moves the slot as redis-cli does, with a pause between the steps. */
async function move(cluster, from, to, pause) {
  const slot = await from.call('CLUSTER', 'KEYSLOT', KEY)
  const [fromId, toId] = await Promise.all([from, to].map((node) => node.call('CLUSTER', 'MYID')))
  await to.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', fromId)
  await from.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', toId)
  await pause()
  const keys = await from.call('CLUSTER', 'GETKEYSINSLOT', slot, 100)
  const place = ['127.0.0.1', to.port, '', 0, MIGRATE_TIMEOUT_MS]
  await from.call('MIGRATE', ...place, 'KEYS', ...keys)
  // The slot is still said to be where it was: clients are asked to look elsewhere, each time.
  await pause()
  const others = cluster.nodes.filter((node) => node !== from && node !== to)
  for (const node of [to, from, ...others]) {
    await node.call('CLUSTER', 'SETSLOT', slot, 'NODE', toId)
  }
}
