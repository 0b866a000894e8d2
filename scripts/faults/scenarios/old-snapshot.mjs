import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startRedis } from '../../servers/redis.mjs'

export const oldSnapshot = {
  name: 'old-snapshot',
  about: 'an old snapshot is restored together with a restart',
  seconds: 16,
  jumps: 1,
  async run({ fleet, own, spell }) {
    const server = await own(startRedis({ kind: 'redis8' }))
    const dump = join(server.folder, 'dump.rdb')
    const old = join(server.folder, 'old.rdb')
    await fleet.start(server.url)
    const strangers = [await fleet.sleeper(server.url), await fleet.newcomer(server.url)]
    await spell(1 / 8)
    await server.call('SAVE')
    await copyFile(dump, old)
    await spell(1 / 4)
    await server.call('SAVE')
    await spell(1 / 8)
    await fleet.away(async () => {
      await server.kill()
      await copyFile(old, dump)
      await fleet.lead(strangers, () => server.restart())
    })
    await fleet.resumed()
    await spell(1 / 2)
  },
}
