import { startRedis } from '../../servers/redis.mjs'

export const flushall = {
  name: 'flushall',
  about: 'FLUSHALL, where generators may be created',
  seconds: 12,
  jumps: 1,
  async run({ fleet, own, spell }) {
    const server = await own(startRedis({ kind: 'valkey9' }))
    await fleet.start(server.url, { allowCreate: true })
    const sleeper = await fleet.sleeper(server.url, { allowCreate: true })
    await spell(1 / 3)
    await fleet.lead([sleeper], () => server.call('FLUSHALL'))
    await fleet.resumed()
    await spell(2 / 3)
  },
}
