import { startSentinel } from '../../servers/sentinel.mjs'
import { until } from '../../servers/until.mjs'

/** Sentinels leave the old master as it is for some ten seconds before they demote it. */
const DEMOTED_MS = 40_000

export const sentinelFailover = {
  name: 'sentinel-failover',
  about: 'an operator fails over from a healthy master: for some seconds there are two',
  seconds: 24,
  jumps: 1,
  async run({ fleet, own, spell }) {
    const sentinel = await own(startSentinel())
    const { master, sentinels } = sentinel
    await fleet.start(sentinel.url)
    await spell(1 / 6)
    await sentinels[0].call('SENTINEL', 'FAILOVER', 'mymaster')
    await spell(1 / 6)
    await until('the old master is demoted', DEMOTED_MS, async () => {
      const { role } = await master.info('replication')
      return role === 'slave'
    })
    await fleet.resumed()
    await spell(1 / 3)
  },
}
