import { setTimeout as sleep } from 'node:timers/promises'
import { startRedis } from '../../../servers/redis.mjs'
import { found, LONGEST_CLAIM_MS, leased } from '../../lease.mjs'

const PROCESSES = 8
const LONGEST_LIFE_MS = 1_000
const snowflake = leased(PROCESSES)

/** A pool of numbers that is as large as there are processes, and `count` crashes of these. */
export function crashes(count) {
  return {
    name: 'crashes',
    about: `${PROCESSES} processes share ${PROCESSES} numbers: half of them or more by kill -9 and restart, ${count} times in all`,
    seconds: 1,
    gapMs: LONGEST_CLAIM_MS,
    snowflake,
    async run({ fleet, own }) {
      const server = await own(startRedis({ kind: 'valkey9' }))
      await found(fleet, server.url, snowflake)
      const present = await fleet.start(Array(PROCESSES).fill(server.url))
      for (let left = count; left > 0; ) {
        await sleep(Math.random() * LONGEST_LIFE_MS)
        const half = PROCESSES / 2
        const victims = shuffled(present).slice(0, Math.min(left, half + random(half + 1)))
        left -= victims.length
        // At once: nobody can then have waited longer than another for a number to come free.
        const heirs = await Promise.all(
          victims.map((victim) => replaced(fleet, victim, server.url)),
        )
        for (const [at, victim] of victims.entries()) {
          present[present.indexOf(victim)] = heirs[at]
        }
        await fleet.resumed(heirs, LONGEST_CLAIM_MS)
      }
    },
  }
}

async function replaced(fleet, victim, store) {
  await victim.kill()
  const heir = await fleet.newcomer(store)
  heir.mint()
  return heir
}

const random = (below) => Math.floor(Math.random() * below)

function shuffled(things) {
  const left = [...things]
  return things.map(() => left.splice(random(left.length), 1)[0])
}
