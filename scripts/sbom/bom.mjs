// The bill of materials of one version, as CycloneDX 1.6: the npm package, the crates that its addon
// is compiled from on any platform, and SQLite. The same commit gives the same bytes.

import { createHash } from 'node:crypto'
import { normalised } from '../licenses/expression.mjs'
import { sqlite } from '../licenses/parts.mjs'

/** What a crate is made for when it is not for all platforms; once per platform. */
const TARGET = 'mintid:target'

/**
 * @param manifest that of the npm package
 * @param crates the addon's own crate and all that it is compiled from
 * @param targets the platforms that there are
 * @param seconds since 1970, which the bill is said to be of
 */
export function bill({ manifest, crates, targets, seconds }) {
  const root = npmPackage(manifest)
  const library = sqliteComponent(crates)
  const graph = crates.map((crate) => ({
    ref: purlOf(crate),
    dependsOn: [
      ...crate.uses.map(purlOf),
      ...(crate.name === 'libsqlite3-sys' ? [library['bom-ref']] : []),
    ],
  }))
  // The one that nothing else uses is the addon.
  const used = new Set(graph.flatMap(({ dependsOn }) => dependsOn))
  const addon = graph.map(({ ref }) => ref).filter((ref) => !used.has(ref))
  return withSerial({
    metadata: { timestamp: new Date(seconds * 1000).toISOString(), component: root },
    components: [...crates.map((crate) => component(crate, targets)), library],
    dependencies: [
      { ref: root['bom-ref'], dependsOn: addon },
      ...graph,
      { ref: library['bom-ref'], dependsOn: [] },
    ],
  })
}

function npmPackage({ name, version, description, license, repository }) {
  const purl = `pkg:npm/${name}@${version}`
  return {
    type: 'library',
    'bom-ref': purl,
    ...{ name, version, description },
    licenses: licenses(license),
    purl,
    externalReferences: [{ type: 'vcs', url: repository.url }],
  }
}

function component(crate, targets) {
  const { name, version, license, checksum, repository } = crate
  const isEverywhere = crate.targets.length === targets.length
  return {
    type: 'library',
    'bom-ref': purlOf(crate),
    ...{ name, version },
    // That of the packed crate, as Cargo.lock has it; our own crates are in the repository.
    ...(checksum && { hashes: [{ alg: 'SHA-256', content: checksum }] }),
    licenses: licenses(license),
    purl: purlOf(crate),
    ...(repository && { externalReferences: [{ type: 'vcs', url: repository }] }),
    ...(!isEverywhere && {
      properties: crate.targets.map((value) => ({ name: TARGET, value })),
    }),
  }
}

/** A part of its crate, and listed all the same: its flaws are known under its own name. */
function sqliteComponent(crates) {
  const { version } = sqlite(crates)
  const purl = `pkg:generic/sqlite@${version}`
  return {
    type: 'library',
    'bom-ref': purl,
    ...{ name: 'sqlite', version },
    licenses: [{ license: { id: 'blessing' } }],
    cpe: `cpe:2.3:a:sqlite:sqlite:${version}:*:*:*:*:*:*:*`,
    purl,
  }
}

/** A `+` would be read as a space by some. */
const purlOf = ({ name, version }) => `pkg:cargo/${name}@${version.replaceAll('+', '%2B')}`

const licenses = (expression) => [
  { expression: normalised(expression), acknowledgement: 'declared' },
]

/** The serial number is drawn from the content, so that it changes with it and with nothing else. */
function withSerial(content) {
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  // Version 8 of UUIDs is for those that are made in a way of one's own.
  const digits = `${digest.slice(0, 12)}8${digest.slice(13, 16)}8${digest.slice(17, 32)}`
  const uuid = digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuid}`,
    version: 1,
    ...content,
  }
}
