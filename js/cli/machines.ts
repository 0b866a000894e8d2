// `mintid machines`: who holds which machine number, and the end of one whose holder is dead.

import type { MachineState } from '../../index.js'
import type { Ids } from '../index.js'
import type { Given } from './arguments.js'
import { type Command, DONE } from './command.js'
import { print, printJson, say } from './output.js'
import { withStore } from './store.js'
import { UsageError, wholeNumber } from './usage.js'

/** 2^16 − 1, the highest number that any layout has. */
const HIGHEST = 65_535n
const RELEASE = 'release'

export const machines: Command = {
  name: 'machines',
  places: ['[release]', '[N]'],
  flags: ['force'],
  summary: 'shows who holds which machine number, or frees one',
  about:
    'Shows the machine numbers of Snowflake ids that are or were in use: whether each is held, ' +
    'until when, up to which time it may have been used, and by whom. With release N --force it ' +
    'frees the number N of a process that is known to be dead; the next holder starts above the ' +
    'time up to which it may have been used.',
  run,
}

async function run(given: Given): Promise<number> {
  const [action, text] = given.places
  if (action === undefined) {
    if (given.flags.has('force')) throw new UsageError('--force goes with release N')
    await withStore(given, (ids) => show(ids, given.flags.has('json')))
    return DONE
  }
  if (action !== RELEASE) {
    const expected = 'expected release N --force, or nothing'
    throw new UsageError(`${JSON.stringify(action)} is not understood: ${expected}`)
  }
  if (text === undefined) throw new UsageError('N is missing: mintid machines release N --force')
  const machine = Number(wholeNumber('N', text, 0n, HIGHEST))
  if (!given.flags.has('force')) {
    const reason = 'a holder that lives loses it, dead or not'
    throw new UsageError(`machine ${machine} is freed by --force alone: ${reason}`)
  }
  await withStore(given, (ids) => release(ids, machine, given.flags.has('json')))
  return DONE
}

async function show(ids: Ids, asJson: boolean): Promise<void> {
  const states = await ids.machines()
  if (asJson) {
    await printJson({ store: ids.store, machines: states.map(plain) })
  } else if (states.length === 0) {
    say(`${ids.store} has no machine number that is or was in use`)
  } else {
    await print(table(states))
  }
}

async function release(ids: Ids, machine: number, asJson: boolean): Promise<void> {
  const changed = await ids.freeMachine(machine)
  const told = changed
    ? `machine ${machine} is free: its next holder starts above its ceiling`
    : `machine ${machine} was not held: nothing was changed`
  await (asJson ? printJson({ machine, changed }) : print(`${told}\n`))
}

const plain = ({ machine, owner, deadline, ceiling, isHeld, isForeign }: MachineState) => ({
  machine,
  held: isHeld,
  until: timeOf(deadline),
  ceiling: timeOf(ceiling),
  owner: owner === '' ? null : owner,
  foreign: isForeign,
})

/** Owners come last: they may be of any length. */
function table(states: MachineState[]): string {
  const rows = states
    .map(plain)
    .map(({ machine, held, until, ceiling, owner, foreign }) => [
      String(machine),
      held ? 'yes' : 'no',
      until ?? '-',
      ceiling ?? '-',
      `${owner ?? '-'}${foreign ? ' (another client)' : ''}`,
    ])
  const lines = [['machine', 'held', 'until', 'ceiling', 'owner'], ...rows]
  const widths = lines[0]?.map((_, i) => Math.max(...lines.map((cells) => cells[i]?.length ?? 0)))
  return lines
    .map((cells) => cells.map((cell, i) => padded(cell, widths?.[i] ?? 0, i)).join('  '))
    .map((line) => `${line.trimEnd()}\n`)
    .join('')
}

const padded = (cell: string, width: number, column: number) =>
  column === 0 ? cell.padStart(width) : cell.padEnd(width)

/** A time that no `Date` can tell is told as it stands. */
function timeOf(unixMs: number): string | null {
  if (unixMs === 0) return null
  const date = new Date(unixMs)
  return Number.isNaN(date.getTime()) ? String(unixMs) : date.toISOString()
}
