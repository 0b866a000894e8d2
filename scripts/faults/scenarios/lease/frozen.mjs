import { setTimeout as sleep } from 'node:timers/promises'
import { startRedis } from '../../../servers/redis.mjs'
import { found, LONGEST_CLAIM_MS, leased, SLACK_MS, TTL_MS } from '../../lease.mjs'

const snowflake = leased(5)

export const frozen = {
  name: 'frozen',
  about: 'the store stands still for longer than the ttl, then takes up all that was sent to it',
  seconds: 6,
  gapMs: LONGEST_CLAIM_MS,
  snowflake,
  async run({ fleet, own, spell }) {
    const server = await own(startRedis({ kind: 'redis8' }))
    await found(fleet, server.url, snowflake)
    const holders = await fleet.start(server.url)
    const newcomer = await fleet.newcomer(server.url)
    await spell(1 / 2)
    for (const holder of holders) holder.losesWith = ['LEASE_LOST']
    await fleet.away(async () => {
      server.freeze()
      newcomer.mint()
      await sleep(TTL_MS + SLACK_MS)
      server.thaw()
    })
    await fleet.resumed()
    await spell(1 / 2)
  },
}
