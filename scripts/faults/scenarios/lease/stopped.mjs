import { startRedis } from '../../../servers/redis.mjs'
import { found, LONGEST_CLAIM_MS, leased } from '../../lease.mjs'
import { replaced } from '../../successor.mjs'

const snowflake = leased(4)

export const stopped = {
  name: 'stopped',
  about: 'a holder is stopped by SIGSTOP past its ttl, another takes its number, then it goes on',
  seconds: 8,
  gapMs: LONGEST_CLAIM_MS,
  snowflake,
  async run({ fleet, own, spell }) {
    const server = await own(startRedis({ kind: 'valkey9' }))
    await found(fleet, server.url, snowflake)
    const [holder, other] = await fleet.start(server.url)
    await spell(1 / 2)
    await replaced(fleet, holder, {
      store: server.url,
      away: () => holder.pause(),
      back: () => holder.resume(),
      leaves: other,
    })
    await spell(1 / 2)
  },
}
