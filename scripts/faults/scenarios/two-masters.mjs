import { startProxy } from '../../servers/proxy.mjs'
import { cutOff, follow, promote, startPair } from '../replica.mjs'

export const twoMasters = {
  name: 'two-masters',
  about:
    'the old master is restarted while cut off and the replica promoted: two processes on each',
  seconds: 20,
  jumps: 2,
  async run({ fleet, own, spell }) {
    const [old, replica] = await startPair(own, { args: ['--appendonly', 'yes'] })
    const toOld = await own(startProxy({ target: old.port }))
    const toNew = await own(startProxy({ target: old.port }))
    await fleet.start([toOld.url, toOld.url, toNew.url, toNew.url])
    await spell(1 / 8)
    await cutOff(replica)
    await spell(1 / 8)
    await fleet.away(async () => {
      await old.kill()
      await promote(replica)
      toNew.target(replica.port)
      toNew.reset()
      await old.restart()
    })
    await fleet.resumed()
    await spell(3 / 8)
    // The network is whole again: what the old master granted meanwhile is thrown away.
    await follow(old, replica)
    toOld.target(replica.port)
    toOld.reset()
    await fleet.resumed()
    await spell(3 / 8)
  },
}
