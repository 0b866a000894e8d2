// The options of the entry points for frameworks. Those of ids are checked by the addon's table; for
// these few each entry point has a table of its own.

import { invalid } from '../errors.js'
import { hint } from '../nearest.js'

export { invalid }

/** What each option has to be; one that is not given is not checked, unless it is required. */
export type Checks = Record<
  string,
  { isValid: (value: unknown) => boolean; expected: string; isRequired?: boolean }
>

/** Refuses unknown names, which would otherwise do nothing, and values of another kind. */
export function checkNamed(given: unknown, checks: Checks): void {
  if (typeof given !== 'object' || given === null) {
    throw invalid('options', given, 'expected an object')
  }
  const names = Object.keys(checks)
  for (const [name, value] of Object.entries(given)) {
    if (names.includes(name)) continue
    throw invalid(name, value, `there is no such option: ${hint(name, names)}`)
  }
  for (const [name, { isValid, expected, isRequired = false }] of Object.entries(checks)) {
    const value = (given as Record<string, unknown>)[name]
    if (value === undefined && !isRequired) continue
    if (!isValid(value)) throw invalid(name, value, expected)
  }
}

/** A check for something that has these methods. */
export const hasMethods =
  (...names: string[]) =>
  (value: unknown): boolean =>
    names.every((name) => typeof (value as Record<string, unknown> | null)?.[name] === 'function')
