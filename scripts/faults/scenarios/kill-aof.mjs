import { setTimeout as sleep } from 'node:timers/promises'
import { startRedis } from '../../servers/redis.mjs'

const TIMES = 3
const DOWN_MS = 300

export const killAof = {
  name: 'kill-aof',
  about: `kill -9 and restart, ${TIMES} times, with an append-only file synced every second`,
  seconds: 20,
  jumps: TIMES,
  async run({ fleet, own, spell }) {
    const args = ['--appendonly', 'yes', '--appendfsync', 'everysec']
    const server = await own(startRedis({ kind: 'redis8', args }))
    await fleet.start(server.url)
    for (let time = 0; time < TIMES; time++) {
      await spell(1 / (TIMES + 1))
      await fleet.away(async () => {
        await server.kill()
        await sleep(DOWN_MS)
        await server.restart()
      })
      await fleet.resumed()
    }
    await spell(1 / (TIMES + 1))
  },
}
