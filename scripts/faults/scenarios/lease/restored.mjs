import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startRedis } from '../../../servers/redis.mjs'
import { found, HEARTBEAT_MS, LONGEST_FRESH_MS, leased } from '../../lease.mjs'

const snowflake = leased(6)

export const restored = {
  name: 'restored',
  about:
    'a lease table two heartbeats old is restored with a restart: it lacks one and has one too many',
  seconds: 8,
  gapMs: LONGEST_FRESH_MS,
  snowflake,
  async run({ fleet, own, spell }) {
    const server = await own(startRedis({ kind: 'redis8' }))
    const dump = join(server.folder, 'dump.rdb')
    const old = join(server.folder, 'old.rdb')
    await found(fleet, server.url, snowflake)
    const [leaver] = await fleet.start(server.url)
    const newcomers = [await fleet.newcomer(server.url), await fleet.newcomer(server.url)]
    await spell(1 / 4)
    await server.call('SAVE')
    await copyFile(dump, old)
    const twoHeartbeats = sleep(2 * HEARTBEAT_MS)
    // The table that is restored knows nothing of the one that comes now, and holds a number for
    // the one that goes.
    const forgotten = await fleet.newcomer(server.url)
    forgotten.mint()
    await fleet.resumed([forgotten])
    forgotten.losesWith = []
    await fleet.stop([leaver])
    await twoHeartbeats
    await fleet.away(async () => {
      await server.kill()
      await copyFile(old, dump)
      await server.restart()
      for (const newcomer of newcomers) newcomer.mint()
    })
    await fleet.resumed()
    await spell(3 / 4)
  },
}
