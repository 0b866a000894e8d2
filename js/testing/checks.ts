import { invalid } from '../errors.js'

/** What timers can tell apart from nothing, in ms. */
const LONGEST = 2 ** 31 - 1

const LONGEST_STEP = 1000 * 366 * 86_400_000

/** Faults are counted out one by one. */
const MOST = 2 ** 20

export function checkMs(value: unknown): number {
  return checkWhole('ms', value, 0, LONGEST)
}

/** A step of the time of day, which may go back: at most a thousand years. */
export function checkStep(value: unknown): number {
  return checkWhole('ms', value, -LONGEST_STEP, LONGEST_STEP)
}

export function checkTimes(value: unknown): number {
  return checkWhole('n', value, 1, MOST)
}

export function checkText(name: string, value: unknown): string {
  if (typeof value !== 'string') throw invalid(name, value, 'expected text')
  return value
}

function checkWhole(name: string, value: unknown, least: number, most: number): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) {
    return value
  }
  throw invalid(name, value, `expected an integer from ${least} to ${most}`)
}
