// What the addon is compiled from: the crates of others, on any platform that has a package.
// Those that only run while building or testing are no part of it: build scripts, macros, tests.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { captured } from './pack/captured.mjs'
import { PLATFORMS } from './platforms.mjs'
import { ROOT, StepFailed } from './steps.mjs'

/** The crate that becomes the addon. */
const ADDON = 'mintid-node'

/**
 * The addon and all that is in it, sorted, each as `{ name, version, license, repository, folder,
 * isOwn, checksum, targets, uses }`: `folder` holds its sources, `uses` are others of the list.
 */
export async function bundledCrates() {
  const { packages } = await metadata()
  const checksums = new Map(readLock(ROOT).map((each) => [idOf(each), each.checksum]))
  const known = new Map(packages.map((each) => [idOf(each), each]))
  const crates = new Map()
  for (const [target, tree] of await trees()) {
    for (const [id, uses] of tree) {
      if (!crates.has(id)) crates.set(id, described(known.get(id), checksums.get(id)))
      const crate = crates.get(id)
      crate.targets.push(target)
      for (const other of uses) crate.uses.add(other)
    }
  }
  for (const crate of crates.values()) crate.uses = [...crate.uses].sort(inOrder).map(find(crates))
  return [...crates.keys()].sort(inOrder).map(find(crates))
}

const find = (crates) => (id) => crates.get(id)

/** The platforms that a package is made for, as Rust names them. */
export const TARGETS = PLATFORMS.map(({ target }) => target)

/** What cargo knows of every package of the lock file, wherever it is used. */
async function metadata() {
  return JSON.parse(await cargo(['metadata', '--format-version', '1']))
}

function described({ name, version, license, repository, source, manifest_path }, checksum) {
  const isOwn = source === null
  const folder = dirname(manifest_path)
  return {
    ...{ name, version, license, repository, folder, isOwn, checksum },
    targets: [],
    uses: new Set(),
  }
}

/**
 * Who uses whom, per platform. The tree and not the metadata says so, because the latter has the
 * features of tests and macros switched on too.
 */
function trees() {
  const about = ['-p', ADDON, '-e', 'normal,no-proc-macro', '--prefix', 'depth', '-f', '{p}']
  return Promise.all(
    TARGETS.map(async (target) => {
      const printed = await cargo(['tree', ...about, '--target', target])
      return [target, readTree(printed)]
    }),
  )
}

/** From ids to the ids they use; a subtree that was printed before is not printed again. */
function readTree(printed) {
  const uses = new Map()
  const path = []
  for (const [, depth, name, version] of printed.matchAll(/^(\d+)(\S+) v(\S+)/gm)) {
    const id = idOf({ name, version })
    path.length = Number(depth)
    if (!uses.has(id)) uses.set(id, new Set())
    if (path.length > 0) uses.get(path.at(-1)).add(id)
    path.push(id)
  }
  return uses
}

/** Fails when the lock file is out of date; fetches the sources that are not there yet. */
function cargo([subcommand, ...rest]) {
  return captured('cargo', [subcommand, '--locked', ...rest], { cwd: ROOT })
}

/** The packages of a folder's Cargo.lock: `{ name, version, source?, checksum? }`. */
export function readLock(folder) {
  const text = readFileSync(join(folder, 'Cargo.lock'), 'utf8')
  const packages = text.split('\n[[package]]\n').slice(1)
  if (packages.length === 0) throw new StepFailed('Cargo.lock names no package')
  return packages.map((entry) =>
    Object.fromEntries(
      [...entry.matchAll(/^(name|version|source|checksum) = "(.*)"$/gm)].map(([, ...pair]) => pair),
    ),
  )
}

const idOf = ({ name, version }) => `${name} ${version}`

/** The same order everywhere, whatever the language of the machine. */
export const inOrder = (a, b) => (a < b ? -1 : Number(a > b))
