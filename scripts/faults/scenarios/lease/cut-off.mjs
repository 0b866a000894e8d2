import { startProxy } from '../../../servers/proxy.mjs'
import { startRedis } from '../../../servers/redis.mjs'
import { found, LONGEST_CLAIM_MS, leased } from '../../lease.mjs'
import { replaced } from '../../successor.mjs'

const snowflake = leased(4)

export const cutOff = {
  name: 'cut-off',
  about: 'the network of a holder is cut past its ttl, another takes its number, then all arrives',
  seconds: 8,
  gapMs: LONGEST_CLAIM_MS,
  snowflake,
  async run({ fleet, own, spell }) {
    const server = await own(startRedis({ kind: 'redis7' }))
    const proxy = await own(startProxy({ target: server.port }))
    await found(fleet, server.url, snowflake)
    const stores = [proxy.url, server.url, server.url, server.url]
    const [holder, other] = await fleet.start(stores)
    await spell(1 / 2)
    await replaced(fleet, holder, {
      store: server.url,
      away: () => proxy.freeze(),
      back: () => proxy.thaw(),
      leaves: other,
    })
    await spell(1 / 2)
  },
}
