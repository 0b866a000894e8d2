import { startRedis } from '../../../servers/redis.mjs'
import { found, LONGEST_CLAIM_MS, leased } from '../../lease.mjs'
import { noWallClock, startWallClock } from '../../wall-clock.mjs'

/** The clock is set back by so much that a claim of it is taken, or is not. */
const SECOND_MS = 1_000
const HOUR_MS = 3_600_000

export const clockBackSecond = clockBack('second', SECOND_MS)
export const clockBackHour = clockBack('hour', HOUR_MS)

function clockBack(name, ms) {
  const snowflake = leased(2, { maxClockSkew: 2 * SECOND_MS })
  return {
    name: `clock-back-${name}`,
    about: `kill -9 and an immediate restart with the clock set back by one ${name}, then once more`,
    seconds: 8,
    gapMs: LONGEST_CLAIM_MS + SECOND_MS,
    reports: ['CLOCK_BACKWARDS'],
    snowflake,
    impossible: noWallClock,
    async run({ fleet, own, spell }) {
      const server = await own(startRedis({ kind: 'valkey9' }))
      const clock = await own(startWallClock())
      await found(fleet, server.url, snowflake)
      const [victim] = await fleet.start([server.url, server.url])
      await spell(1 / 4)
      const { machine } = victim
      await victim.kill()
      await clock.set(-ms)
      // There is no other number: it has to go on where the other one was killed.
      const heir = await fleet.newcomer(server.url, {}, { launch: clock.launch })
      heir.mint()
      if (ms === HOUR_MS) {
        await heir.refused(() => spell(1 / 4))
        if (heir.minted > 0) fleet.complaints.push(`${heir.name} mints an hour back`)
        await clock.set(0)
      }
      await fleet.resumed([heir])
      if (heir.machine !== machine) {
        fleet.complaints.push(`${heir.name} has ${heir.machine} where ${machine} is due`)
      }
      await spell(1 / 4)
      // While it mints.
      await heir.refused(async () => {
        await clock.set(-ms - SECOND_MS)
        await spell(1 / 4)
        await clock.set(0)
      })
      await fleet.resumed([heir])
      await spell(1 / 4)
    },
  }
}
