import { startProxy } from '../../servers/proxy.mjs'
import { cutOff, follow, promote, startPair } from '../replica.mjs'

export const promoteBack = {
  name: 'promote-back',
  about: 'A is left for B and B for A again, each time for a replica that misses the last ids',
  seconds: 20,
  jumps: 2,
  async run({ fleet, own, spell }) {
    const [a, b] = await startPair(own)
    const proxy = await own(startProxy({ target: a.port }))
    await fleet.start(proxy.url)
    const sleeper = await fleet.sleeper(proxy.url)
    await spell(1 / 8)
    // B follows A since the start; then A is demoted and has to take over what B has.
    for (const [left, taken] of [
      [a, b],
      [b, a],
    ]) {
      await cutOff(taken)
      await spell(1 / 8)
      await fleet.lead([sleeper], async () => {
        await promote(taken)
        proxy.target(taken.port)
        proxy.reset()
      })
      sleeper.rest()
      await fleet.resumed()
      await spell(1 / 8)
      await follow(left, taken)
      await spell(1 / 8)
    }
    await spell(1 / 8)
  },
}
