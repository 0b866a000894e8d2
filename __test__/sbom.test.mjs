// The bill of materials of planted crates, and what the check of it refuses. That our own bill is
// valid is a check of the audit.

import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../scripts/folder.mjs'
import { bill } from '../scripts/sbom/bom.mjs'
import { checkBill } from '../scripts/sbom/valid.mjs'

const SECONDS = 1_700_000_000
const CHECKSUM = 'a'.repeat(64)
const TARGETS = ['x86_64-unknown-linux-gnu', 'x86_64-pc-windows-msvc']

const MANIFEST = {
  name: 'planted',
  version: '1.2.3',
  description: 'a package',
  license: 'MIT OR Apache-2.0',
  repository: { url: 'git+https://example.com/planted.git' },
}

/** The sources of a crate that bundles SQLite. */
const FOLDER = temporaryFolder('sbom')
mkdirSync(join(FOLDER, 'sqlite3'))
writeFileSync(
  join(FOLDER, 'sqlite3', 'sqlite3.h'),
  '/*\n** 2001\n**\n** disclaims copyright\n*********\n*/\n#define SQLITE_VERSION "3.9.9"\n',
)

/** An addon, SQLite's crate and a crate for one platform. */
function crates() {
  const sqlite = crate('libsqlite3-sys', { folder: FOLDER, checksum: CHECKSUM })
  const windows = crate('windows', { checksum: CHECKSUM, targets: TARGETS.slice(1) })
  return [crate('addon', { uses: [sqlite, windows] }), sqlite, windows]
}

function crate(name, { uses = [], targets = TARGETS, ...rest }) {
  return { name, version: '1.0.0+a', license: 'Apache-2.0/MIT', targets, uses, ...rest }
}

const made = (seconds = SECONDS) =>
  bill({ manifest: MANIFEST, crates: crates(), targets: TARGETS, seconds })

test('a bill of materials is valid, and lists the package, its addon and what that is made of', async () => {
  const { metadata, components, dependencies } = made()
  await checkBill(made())
  assert.equal(metadata.component.purl, 'pkg:npm/planted@1.2.3')
  assert.equal(metadata.timestamp, '2023-11-14T22:13:20.000Z')
  assert.deepEqual(dependencies, [
    { ref: 'pkg:npm/planted@1.2.3', dependsOn: ['pkg:cargo/addon@1.0.0%2Ba'] },
    {
      ref: 'pkg:cargo/addon@1.0.0%2Ba',
      dependsOn: ['pkg:cargo/libsqlite3-sys@1.0.0%2Ba', 'pkg:cargo/windows@1.0.0%2Ba'],
    },
    { ref: 'pkg:cargo/libsqlite3-sys@1.0.0%2Ba', dependsOn: ['pkg:generic/sqlite@3.9.9'] },
    { ref: 'pkg:cargo/windows@1.0.0%2Ba', dependsOn: [] },
    { ref: 'pkg:generic/sqlite@3.9.9', dependsOn: [] },
  ])
  const [addon, , windows] = components
  assert.equal(addon.hashes, undefined)
  assert.equal(addon.properties, undefined)
  assert.deepEqual(windows.hashes, [{ alg: 'SHA-256', content: CHECKSUM }])
  assert.deepEqual(windows.properties, [{ name: 'mintid:target', value: TARGETS[1] }])
  assert.equal(windows.licenses[0].expression, 'Apache-2.0 OR MIT')
})

test('the same commit gives the same bill, and another one another serial number', () => {
  assert.deepEqual(made(), made())
  assert.notEqual(made().serialNumber, made(SECONDS + 1).serialNumber)
})

for (const [what, change, complaint] of [
  ['a hash of another length', ([, each]) => (each.hashes[0].content = 'abc'), /\/hashes\/0/],
  ['a field of its own', ([each]) => (each.colour = 'red'), /additional properties/],
  ['a component without a name', ([each]) => delete each.name, /required property 'name'/],
  ['a component twice', (list) => list.push(list[0]), /listed twice/],
  ['an arrow to nowhere', (list) => list.pop(), /the graph names pkg:generic\/sqlite@3\.9\.9/],
  [
    'a component outside the graph',
    (list) => list.push({ type: 'library', name: 'x', 'bom-ref': 'x' }),
    /x is not in the graph/,
  ],
]) {
  test(`a bill with ${what} is refused`, async () => {
    const broken = made()
    change(broken.components)
    await assert.rejects(checkBill(broken), complaint)
  })
}
