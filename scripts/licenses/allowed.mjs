// The licences that deny.toml allows, which has the list for all who ask.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, StepFailed } from '../steps.mjs'

/** SPDX identifiers, the most welcome first. */
export function allowedLicenses() {
  const text = readFileSync(join(ROOT, 'deny.toml'), 'utf8')
  const [, list] = /^\[licenses\]$[^[]*^allow = \[([^\]]*)\]$/m.exec(text) ?? []
  if (list === undefined) throw new StepFailed('deny.toml has no list `allow` under [licenses]')
  return [...list.matchAll(/"([^"]+)"/g)].map(([, license]) => license)
}
