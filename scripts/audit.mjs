// `npm run audit`: what we depend on, held against what it may be. Needs no network once cargo-deny
// and the crates are there: all is in the lock files, deny.toml and scripts/audit/npm-policy.mjs.
//
// Known flaws are in databases on the network, which no registry of packages has:
// `npm run audit -- --advisories` asks them too, which is for the workflows and for a release.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { deny, OFFLINE_CHECKS } from './audit/cargo-deny.mjs'
import { cargoLockComplaints } from './audit/cargo-lock.mjs'
import { npmComplaints } from './audit/npm-locks.mjs'
import { NPM_POLICY } from './audit/npm-policy.mjs'
import { readLock } from './crates.mjs'
import { allowedLicenses } from './licenses/allowed.mjs'
import { checkLicenses } from './licenses.mjs'
import { optionsOf, readArguments } from './options.mjs'
import { captured, npm } from './pack/captured.mjs'
import { validBill } from './sbom.mjs'
import { isMain, main, ROOT, StepFailed, step } from './steps.mjs'

const CHECKS = [
  { title: 'crates against deny.toml', check: () => deny(OFFLINE_CHECKS) },
  { title: 'Cargo.lock', check: cargoLock },
  { title: 'npm lock files', check: npmLocks },
  { title: 'THIRD-PARTY-LICENSES', check: checkLicenses },
  { title: 'bill of materials', check: validBill },
]

/** None of these packages is published: what is less waits for their own next release. */
const LEVEL = '--audit-level=high'

const ADVISORIES = [
  { title: 'advisories on crates', check: () => deny(['advisories']) },
  { title: 'advisories on npm packages', check: npmAdvisories },
]

/** Fails with the complaints of all checks, after the last. */
export async function audit({ advisories = false } = {}) {
  const complaints = []
  for (const { title, check } of advisories ? [...CHECKS, ...ADVISORIES] : CHECKS) {
    await step(title, check).catch((error) => {
      if (!(error instanceof StepFailed)) throw error
      complaints.push(`${title}:\n${error.message}`)
    })
  }
  if (complaints.length > 0) throw new StepFailed(complaints.join('\n\n'))
}

async function cargoLock() {
  const words = ['metadata', '--no-deps', '--locked', '--format-version', '1']
  const { packages } = JSON.parse(await captured('cargo', words, { cwd: ROOT }))
  const members = packages.map(({ name }) => name)
  refuse(cargoLockComplaints(readLock(ROOT), members))
}

async function npmLocks() {
  const files = await lockFiles()
  const locks = Object.fromEntries(files.map((file) => [file, readJson(file)]))
  const manifest = readJson('package.json')
  refuse(npmComplaints({ manifest, locks, policy: NPM_POLICY, allowed: allowedLicenses() }))
}

async function npmAdvisories() {
  const complaints = []
  for (const file of await lockFiles()) {
    const cwd = join(ROOT, dirname(file))
    await npm(['audit', '--package-lock-only', LEVEL], { cwd }).catch(({ message }) =>
      complaints.push(`${file}: ${message}`),
    )
  }
  refuse(complaints)
}

/** Those of the commit and those about to be; a lock file that is not looked for is not checked. */
async function lockFiles() {
  const words = ['ls-files', '-co', '--exclude-standard', '--', '*package-lock.json']
  const files = (await captured('git', words, { cwd: ROOT })).split('\n').filter(Boolean)
  if (!files.includes('package-lock.json')) throw new StepFailed('git knows no package-lock.json')
  return files
}

function refuse(complaints) {
  if (complaints.length > 0) throw new StepFailed(complaints.join('\n'))
}

const readJson = (file) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'))

if (isMain(import.meta.url)) {
  const flags = { advisories: { type: 'boolean', default: false } }
  const options = optionsOf('audit', (args) => readArguments(args, flags))
  if (options) await main(() => audit(options))
}
