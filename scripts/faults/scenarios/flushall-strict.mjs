import { setTimeout as sleep } from 'node:timers/promises'
import { startRedis } from '../../servers/redis.mjs'

/** How long the newcomer is alone with the empty store. */
const ALONE_MS = 700

export const flushallStrict = {
  name: 'flushall-strict',
  about: 'FLUSHALL under `allowCreate: false`, and a newcomer that finds the store empty',
  seconds: 12,
  jumps: 1,
  async run({ fleet, own, spell }) {
    const server = await own(startRedis({ kind: 'redis8' }))
    const founders = await fleet.start([server.url], { allowCreate: true })
    await fleet.stop(founders)
    const minters = await fleet.start(server.url, { allowCreate: false })
    const newcomer = await fleet.newcomer(server.url, { allowCreate: false })
    newcomer.mayBeRefused = true
    await spell(1 / 3)
    // Those that remember stand still, and cannot put right what the newcomer finds.
    for (const minter of minters) minter.pause()
    await server.call('FLUSHALL')
    newcomer.mint()
    await sleep(ALONE_MS)
    for (const minter of minters) minter.resume()
    await fleet.resumed()
    await spell(2 / 3)
  },
}
