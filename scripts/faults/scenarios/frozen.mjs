import { startRedis } from '../../servers/redis.mjs'

export const frozen = {
  name: 'frozen',
  about: 'the server stands still for half of the time, then takes up all that was sent to it',
  seconds: 20,
  async run({ fleet, own, spell }) {
    const server = await own(startRedis({ kind: 'redis8' }))
    await fleet.start(server.url)
    await spell(1 / 5)
    await fleet.away(async () => {
      server.freeze()
      await spell(1 / 2)
      server.thaw()
    })
    await fleet.resumed()
    await spell(3 / 10)
  },
}
