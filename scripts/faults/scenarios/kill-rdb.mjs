import { startRedis } from '../../servers/redis.mjs'

export const killRdb = {
  name: 'kill-rdb',
  about: 'kill -9 and restart with snapshots alone: the counter goes back to the last one',
  seconds: 16,
  jumps: 1,
  async run({ fleet, own, spell }) {
    const server = await own(startRedis({ kind: 'valkey9' }))
    await fleet.start(server.url)
    const strangers = [await fleet.sleeper(server.url), await fleet.newcomer(server.url)]
    await spell(1 / 8)
    await server.call('SAVE')
    await spell(3 / 8)
    await fleet.away(async () => {
      await server.kill()
      await fleet.lead(strangers, () => server.restart())
    })
    await fleet.resumed()
    await spell(1 / 2)
  },
}
