import { startProxy } from '../../../servers/proxy.mjs'
import { startRedis } from '../../../servers/redis.mjs'
import { until } from '../../../servers/until.mjs'
import { found, LONGEST_CLAIM_MS, leased } from '../../lease.mjs'

const snowflake = leased(4)
const ARRIVAL_MS = 2_000

export const lateRelease = {
  name: 'late-release',
  about: 'a number is given back, and that arrives when another has claimed it already',
  seconds: 6,
  gapMs: LONGEST_CLAIM_MS,
  snowflake,
  async run({ fleet, own, spell }) {
    const server = await own(startRedis({ kind: 'valkey9' }))
    const proxy = await own(startProxy({ target: server.port }))
    await found(fleet, server.url, snowflake)
    const [leaver] = await fleet.start([proxy.url, server.url, server.url, server.url])
    await spell(1 / 3)
    const { machine } = leaver
    proxy.freeze()
    await fleet.stop([leaver])
    const { up } = proxy.bytes
    const successor = await fleet.newcomer(server.url)
    successor.mint()
    await fleet.resumed([successor])
    const owner = await server.call('HGET', 'sfid', machine)
    proxy.thaw()
    // The server ends a connection when it has done all that it was sent.
    await until('the release arrives', ARRIVAL_MS, () => proxy.connections === 0)
    if (proxy.bytes.up === up) fleet.complaints.push('nothing arrived late')
    if ((await server.call('HGET', 'sfid', machine)) !== owner) {
      fleet.complaints.push(`${machine} was taken from ${successor.name}`)
    }
    // Whoever took a number that is held would take it now.
    const another = await fleet.newcomer(server.url)
    another.mint()
    await another.refused(() => spell(1 / 3))
    if (another.minted > 0)
      fleet.complaints.push(`${another.name} found a number where none is free`)
    await fleet.stop([successor])
    await fleet.resumed([another])
    await spell(1 / 3)
  },
}
