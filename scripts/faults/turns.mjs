// Who used which machine number when, as the ids themselves tell it.

import { readIds } from '../demo/merge.mjs'

/** The bits of an id as they are without options: time, machine, sequence. */
const SEQUENCE_BITS = 12n
const MACHINE_BITS = 10n
/** In place of those of the machine, for the number of a process. */
const PROCESS_BITS = 12n

/**
 * How many machine numbers are in the ids of processes, each given by its files, and how many turns
 * these had at them: in the order of time, so many times another one begins to use a number. Where
 * each holder is alone with its number, there are no more turns than leases.
 */
export function turnsAtNumbers(processes) {
  const keys = new Map()
  for (const [number, files] of processes.entries()) {
    for (const id of readIds(files)) {
      const { machine, key } = partsOf(id)
      if (!keys.has(machine)) keys.set(machine, [])
      keys.get(machine).push((key << PROCESS_BITS) | BigInt(number))
    }
  }
  const turns = [...keys.values()].reduce((sum, each) => sum + turnsIn(each), 0)
  return { numbers: keys.size, turns }
}

function partsOf(id) {
  const sequence = BigInt.asUintN(Number(SEQUENCE_BITS), id)
  const machine = BigInt.asUintN(Number(MACHINE_BITS), id >> SEQUENCE_BITS)
  const time = id >> (SEQUENCE_BITS + MACHINE_BITS)
  return { machine: Number(machine), key: (time << SEQUENCE_BITS) | sequence }
}

function turnsIn(keys) {
  const users = BigUint64Array.from(keys)
    .sort()
    .map((key) => BigInt.asUintN(Number(PROCESS_BITS), key))
  let turns = 0
  let user
  for (const each of users) {
    if (each !== user) turns++
    user = each
  }
  return turns
}
