import { startRedis } from '../../../servers/redis.mjs'
import { found, LONGEST_CLAIM_MS, leased } from '../../lease.mjs'
import { inPidNamespace, noPidNamespaces } from '../../pid-namespace.mjs'

const TWINS = 2
const snowflake = leased(1024)

export const twins = {
  name: 'twins',
  about: `${TWINS} processes in PID namespaces of their own, with the same host name, pid and home`,
  seconds: 5,
  gapMs: LONGEST_CLAIM_MS,
  snowflake,
  impossible: noPidNamespaces,
  async run({ fleet, own, spell }) {
    const server = await own(startRedis({ kind: 'valkey9' }))
    await found(fleet, server.url, snowflake)
    const minters = await fleet.start(Array(TWINS).fill(server.url), {}, { launch: inPidNamespace })
    const owners = await Promise.all(
      minters.map(({ machine }) => server.call('HGET', 'sfid', machine)),
    )
    const hints = owners.map((owner) => owner.slice(0, owner.lastIndexOf(':')))
    if (new Set(owners).size !== TWINS) fleet.complaints.push(`one owner: ${owners[0]}`)
    if (new Set(hints).size !== 1) fleet.complaints.push(`they are not alike: ${hints.join(', ')}`)
    await spell(1)
  },
}
