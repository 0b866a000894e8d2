import { startProxy } from '../../servers/proxy.mjs'
import { cutOff, promote, startPair } from '../replica.mjs'

export const lossyPromotion = {
  name: 'lossy-promotion',
  about: 'a replica cut off from its master is promoted, and the processes are led to it',
  seconds: 16,
  jumps: 1,
  async run({ fleet, own, spell }) {
    const [master, replica] = await startPair(own)
    const proxy = await own(startProxy({ target: master.port }))
    await fleet.start(proxy.url)
    const strangers = [await fleet.sleeper(proxy.url), await fleet.newcomer(proxy.url)]
    await spell(1 / 4)
    await cutOff(replica)
    await spell(1 / 4)
    await fleet.lead(strangers, async () => {
      await promote(replica)
      proxy.target(replica.port)
      proxy.reset()
    })
    await fleet.resumed()
    await spell(1 / 2)
  },
}
