import { startRedis } from '../../../servers/redis.mjs'
import { found, LONGEST_FRESH_MS, leased } from '../../lease.mjs'

const snowflake = leased(5)

export const wiped = {
  name: 'wiped',
  about: 'FLUSHALL while four hold numbers and a fifth comes',
  seconds: 6,
  gapMs: LONGEST_FRESH_MS,
  snowflake,
  async run({ fleet, own, spell }) {
    const server = await own(startRedis({ kind: 'valkey9' }))
    await found(fleet, server.url, snowflake)
    const holders = await fleet.start(server.url)
    const newcomer = await fleet.newcomer(server.url)
    await spell(1 / 2)
    // Each claims another number at once. Whoever waits no longer than a caller may is told nothing.
    for (const holder of holders) holder.losesWith = []
    await server.call('FLUSHALL')
    // It looks at the empty table before the others notice.
    newcomer.mint()
    await fleet.resumed()
    await spell(1 / 2)
  },
}
