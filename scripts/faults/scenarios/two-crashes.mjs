import { setTimeout as sleep } from 'node:timers/promises'
import { startRedis } from '../../servers/redis.mjs'

/** From the first crash to the second. The processes are back by then, and mint. */
const APART_MS = 800

export const twoCrashes = {
  name: 'two-crashes',
  about: 'two kill -9 within a second, both back to the same state, on the profile of Kvrocks',
  seconds: 16,
  jumps: 2,
  async run({ fleet, own, spell }) {
    const server = await own(startRedis({ kind: 'kvrocks' }))
    await fleet.start(server.url)
    const sleeper = await fleet.sleeper(server.url)
    await spell(1 / 8)
    await server.call('SAVE')
    await spell(1 / 4)
    const second = sleep(APART_MS)
    await fleet.away(async () => {
      await server.kill()
      await server.restart()
    })
    await second
    await fleet.away(async () => {
      await server.kill()
      // Who leaps from the same state by the same distance meets what was granted in between.
      await fleet.lead([sleeper], () => server.restart())
    })
    await fleet.resumed()
    await spell(1 / 2)
  },
}
