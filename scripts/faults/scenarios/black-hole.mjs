import { startProxy } from '../../servers/proxy.mjs'
import { startRedis } from '../../servers/redis.mjs'

const TIMES = 2

export const blackHole = {
  name: 'black-hole',
  about: `open connections swallow everything and never end, ${TIMES} times; new ones work`,
  seconds: 18,
  async run({ fleet, own, spell }) {
    const server = await own(startRedis({ kind: 'valkey9' }))
    const proxy = await own(startProxy({ target: server.port }))
    await fleet.start(proxy.url)
    for (let time = 0; time < TIMES; time++) {
      await spell(1 / (TIMES + 1))
      proxy.blackhole()
      await fleet.resumed()
    }
    await spell(1 / (TIMES + 1))
  },
}
