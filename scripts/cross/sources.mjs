// What an addon was built from, so that one of yesterday's sources is not packed today.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../steps.mjs'

const SOURCES = ['Cargo.toml', 'Cargo.lock', 'build.rs', 'src', 'crates']
/** What is only there for tests and for people. */
const NOT_BUILT = /\.(md|proptest-regressions)$/

/** A digest of all that goes into the addon. */
export function sourcesDigest() {
  const hash = createHash('sha256')
  for (const file of SOURCES.flatMap(filesOf)) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0')
  }
  return hash.digest('hex')
}

function filesOf(path) {
  if (statSync(join(ROOT, path)).isFile()) return [path]
  return readdirSync(join(ROOT, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !NOT_BUILT.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length).replaceAll('\\', '/'))
    .sort()
}
