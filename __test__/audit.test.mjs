// What the audit refuses: each check is shown something that it must find. That our own lock files
// pass is the part `audit` of `npm run lint`.

import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { cargoDeny, deny } from '../scripts/audit/cargo-deny.mjs'
import { cargoLockComplaints } from '../scripts/audit/cargo-lock.mjs'
import { npmComplaints } from '../scripts/audit/npm-locks.mjs'
import { readLock } from '../scripts/crates.mjs'
import { temporaryFolder } from '../scripts/folder.mjs'
import { allowedLicenses } from '../scripts/licenses/allowed.mjs'
import { IN_CI } from '../scripts/steps.mjs'

const missing = await cargoDeny().then(
  () => false,
  (error) => error.message,
)
const skip = IN_CI ? false : missing

/** A crate of no content in a folder. */
function crate(folder, { name, version = '1.0.0', license = 'MIT', dependencies = [] }) {
  mkdirSync(join(folder, 'src'), { recursive: true })
  writeFileSync(join(folder, 'src', 'lib.rs'), '')
  const manifest = [
    `package = { name = "${name}", version = "${version}", edition = "2024", license = "${license}" }`,
    '[dependencies]',
    ...dependencies,
  ]
  writeFileSync(join(folder, 'Cargo.toml'), manifest.join('\n'))
  return folder
}

/** What cargo-deny says of a crate that depends on others. */
async function denied(check, crates) {
  const folder = temporaryFolder('audit')
  const dependencies = crates.map(({ name, version = '1.0.0' }, i) => {
    return `d${i} = { package = "${name}", version = "${version}", path = "../c${i}" }`
  })
  for (const [i, each] of crates.entries()) crate(join(folder, `c${i}`), each)
  return await saidOf(check, crate(join(folder, 'app'), { name: 'app', dependencies }))
}

async function saidOf(check, folder) {
  execFileSync('cargo', ['generate-lockfile'], { cwd: folder, stdio: 'pipe' })
  // Lists of deny.toml that such a workspace has no use for are complaints too.
  return await deny([check], folder).then(
    () => '',
    (error) => error.message,
  )
}

test('a crate under a licence that is not listed is refused', { skip }, async () => {
  const said = await denied('licenses', [{ name: 'planted', license: 'GPL-3.0-only' }])
  assert.match(said, /rejected[\s\S]*GPL-3\.0[\s\S]*planted v1\.0\.0/)
  assert.match(said, /have deny\.toml say why not/)
  const welcome = await denied('licenses', [{ name: 'planted', license: 'GPL-3.0-only OR MIT' }])
  assert.doesNotMatch(welcome, /planted/)
})

test('a crate that is banned, and one in two versions, are refused', { skip }, async () => {
  const banned = await denied('bans', [{ name: 'openssl-sys' }])
  assert.match(banned, /banned[\s\S]*openssl-sys = 1\.0\.0/)
  assert.match(banned, /TLS is rustls/)
  const twice = await denied('bans', [{ name: 'twice' }, { name: 'twice', version: '2.0.0' }])
  assert.match(twice, /duplicate[\s\S]*twice 1\.0\.0[\s\S]*twice 2\.0\.0/)
  assert.doesNotMatch(await denied('bans', [{ name: 'once' }]), /once/)
})

test('a crate from a git repository is refused', { skip }, async (t) => {
  const folder = temporaryFolder('audit-git')
  const { CARGO_HOME } = process.env
  // Cargo keeps a copy of every repository that it sees.
  process.env.CARGO_HOME = join(folder, 'cargo-home')
  t.after(() => {
    if (CARGO_HOME === undefined) delete process.env.CARGO_HOME
    else process.env.CARGO_HOME = CARGO_HOME
  })
  const repository = crate(join(folder, 'repository'), { name: 'planted' })
  const git = (...words) => execFileSync('git', words, { cwd: repository, stdio: 'pipe' })
  git('init', '-q')
  git('add', '.')
  git('-c', 'user.name=t', '-c', 'user.email=t@localhost', 'commit', '-qm', 'planted')
  const dependencies = [`planted = { git = "${pathToFileURL(repository)}" }`]
  const app = crate(join(folder, 'app'), { name: 'app', dependencies })
  assert.match(await saidOf('sources', app), /source-not-allowed[\s\S]*repository/)
  const complaints = cargoLockComplaints(readLock(app), ['app'])
  assert.equal(complaints.length, 1)
  assert.match(complaints[0], /planted 1\.0\.0, of git\+file:.* has no checksum/)
})

test('a crate without a checksum, or beside the workspace, is refused', () => {
  const folder = temporaryFolder('audit-lock')
  const source = 'source = "registry+index"'
  const entries = [
    ['name = "whole"', 'version = "1.0.0"', source, `checksum = "${'0'.repeat(64)}"`],
    ['name = "bare"', 'version = "1.0.0"', source],
    ['name = "ours"', 'version = "1.0.0"'],
    ['name = "beside"', 'version = "1.0.0"'],
  ]
  const text = entries.map((lines) => `[[package]]\n${lines.join('\n')}\n`).join('\n')
  writeFileSync(join(folder, 'Cargo.lock'), `version = 4\n\n${text}`)
  assert.deepEqual(cargoLockComplaints(readLock(folder), ['ours']), [
    'Cargo.lock: bare 1.0.0, of registry+index, has no checksum: depend on a published crate, then cargo fetch',
    'Cargo.lock: beside 1.0.0 is a folder outside the workspace: depend on a published crate instead',
  ])
})

const POLICY = {
  runtime: [],
  toolLicenses: ['0BSD'],
  licenseOf: {},
  installScripts: {},
  deprecated: {},
}

/** The complaints about a lock file of one package that has nothing wrong, but for what is given. */
function complaints({ entry, policy, manifest = {}, lockfileVersion = 3 }) {
  const sound = { version: '1.0.0', integrity: 'sha512-AAAA', license: 'MIT' }
  const packages = { '': {}, 'node_modules/a/node_modules/@x/y': { ...sound, ...entry } }
  return npmComplaints({
    manifest,
    locks: { 'examples/package-lock.json': { lockfileVersion, packages } },
    policy: { ...POLICY, ...policy },
    allowed: ['MIT'],
  })
}

test('a sound npm package is not complained about', () => {
  assert.deepEqual(complaints({}), [])
  assert.deepEqual(complaints({ entry: { license: '(GPL-3.0-only OR 0BSD)' } }), [])
})

for (const [what, entry, complaint] of [
  ['without a hash', { integrity: undefined }, /@x\/y@1\.0\.0 has no integrity/],
  ['with a weak hash', { integrity: 'sha1-AAAA' }, /has no integrity/],
  ['under a licence that is not listed', { license: 'GPL-3.0-only' }, /under 'GPL-3\.0-only'/],
  ['under both', { license: 'MIT AND GPL-3.0-only' }, /under 'MIT AND GPL-3\.0-only'/],
  ['without a licence', { license: undefined }, /under 'no licence'/],
  ['whose licence is a sentence', { license: 'SEE LICENSE IN x' }, /under 'SEE LICENSE/],
  ['with an install script', { hasInstallScript: true }, /runs a script when it is installed/],
  ['that is deprecated', { deprecated: 'use z' }, /is deprecated \(use z\)/],
]) {
  test(`an npm package ${what} is refused`, () => {
    const [first, ...rest] = complaints({ entry })
    assert.match(first, complaint)
    assert.match(first, /^examples\/package-lock\.json: @x\/y@1\.0\.0 /)
    assert.deepEqual(rest, [])
  })
}

for (const [field, key, entry] of [
  ['licenseOf', '@x/y@1.0.0', { license: 'Expat' }],
  ['installScripts', '@x/y', { hasInstallScript: true }],
  ['deprecated', '@x/y', { deprecated: 'use z' }],
]) {
  test(`an exception in ${field} holds while there is need of it`, () => {
    const policy = { [field]: { [key]: 'MIT' } }
    assert.deepEqual(complaints({ entry, policy }), [])
    const [stale] = complaints({ policy })
    assert.match(stale ?? '', new RegExp(`${field}: ${key}, which no lock file needs`))
  })
}

test('what would be installed with the package is listed, and nothing else is', () => {
  for (const field of ['dependencies', 'peerDependencies', 'optionalDependencies']) {
    const manifest = { [field]: { z: '^1' } }
    assert.match(complaints({ manifest }).join(), /z would be installed with us/)
    assert.deepEqual(complaints({ manifest, policy: { runtime: ['z'] } }), [])
  }
  assert.match(complaints({ policy: { runtime: ['z'] } }).join(), /no longer needs z/)
})

test('an optional peer is not installed with the package, and needs no entry', () => {
  const manifest = {
    peerDependencies: { z: '^1' },
    peerDependenciesMeta: { z: { optional: true } },
  }
  assert.deepEqual(complaints({ manifest }), [])
  const twice = { ...manifest, dependencies: { z: '^1' } }
  assert.match(complaints({ manifest: twice }).join(), /z would be installed with us/)
})

test('a lock file of another version is refused', () => {
  assert.match(complaints({ lockfileVersion: 1 }).join(), /is of version 1/)
})

test('the licences of deny.toml are read from it', () => {
  assert.equal(allowedLicenses()[0], 'MIT')
  assert.ok(!allowedLicenses().includes('GPL-3.0-only'))
})
