// A process that takes the machine number of another which is away, and what then becomes of that
// one. All other numbers are held, so that it must.

import { until } from '../servers/until.mjs'
import { now } from './clock.mjs'
import { HEARTBEAT_MS, LONGEST_CLAIM_MS, TTL_MS } from './lease.mjs'

/**
 * Takes `holder` away from its store, lets a newcomer take its number, and brings it back. As all
 * numbers are held by then, the process `leaves` ends, and the holder has to go on under the number
 * of that one. Gives the newcomer.
 */
export async function replaced(fleet, holder, { store, away, back, leaves }) {
  const { machine } = holder
  const left = leaves.machine
  const from = now()
  away()
  holder.losesWith = ['LEASE_LOST']
  holder.hasToMove = true
  const successor = await fleet.newcomer(store)
  successor.mint()
  await fleet.resumed([successor])
  if (successor.machine !== machine) {
    fleet.complaints.push(`${successor.name} has ${successor.machine} where ${machine} is due`)
  }
  // It was renewed a heartbeat before, or a little more.
  if (now() - from < TTL_MS - 2 * HEARTBEAT_MS)
    fleet.complaints.push(`${machine} came free before its ttl`)
  back()
  // It finds no number: that is what the scenario wants, and nobody's fault.
  await until(`${holder.name} loses ${machine}`, LONGEST_CLAIM_MS, () => holder.machine !== machine)
  await fleet.stop([leaves])
  await fleet.resumed([holder])
  fleet.outages.push([from, now()])
  if (holder.machine !== left) {
    fleet.complaints.push(`${holder.name} has ${holder.machine} where ${left} is due`)
  }
  return successor
}
