// The packages as they will be published: a copy of what the root tarball holds, in a folder of its
// own, where the napi CLI writes the platform packages and names them as optional dependencies.
// The checkout keeps neither: a version there would be one more that can be forgotten.

import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { artifactOf, stateOf } from '../cross/build.mjs'
import { sourcesDigest } from '../cross/sources.mjs'
import { HOST, PLATFORMS } from '../platforms.mjs'
import { ROOT, StepFailed } from '../steps.mjs'
import { node, npm } from './captured.mjs'

const PACK = ['pack', '--json', '--ignore-scripts']

/** What a platform package holds beside the addon and what npm adds by itself. */
const LEGAL = ['LICENSE-APACHE', 'LICENSE-MIT', 'THIRD-PARTY-LICENSES']

/** The files that the root tarball holds, as npm tells them. */
export async function packedFiles() {
  const [{ files }] = JSON.parse(await npm([...PACK, '--dry-run'], { cwd: ROOT }))
  return files.map(({ path }) => path)
}

/**
 * Packs the root, and the package of every platform whose addon is in artifacts/.
 *
 * @returns `{ root, platforms }`: packages as `{ manifest, tarball, size, unpackedSize, files }`,
 * those of platforms with what `PLATFORMS` says of them. A platform that was not built has a
 * manifest alone.
 */
export async function packAll(folder) {
  await copyRoot(folder)
  await napi('create-npm-dirs', folder)
  const { publishConfig } = await readManifest(folder)
  const sources = sourcesDigest()
  const platforms = await Promise.all(
    PLATFORMS.map((platform) => stage(platform, { folder, sources, publishConfig })),
  )
  // Writes the exact optionalDependencies and checks every manifest, and publishes nothing.
  await napi('prepublish', folder, '-t', 'npm', '--no-gh-release', '--skip-optional-publish')
  const root = await pack(folder)
  checkPins(root.manifest, platforms)
  return { root, platforms: await Promise.all(platforms.map(packBuilt)) }
}

/** The package that this machine installs by itself, beside all others. */
export function forHost({ root, platforms }) {
  const host = platforms.find(({ name }) => name === HOST?.name)
  if (host?.tarball === undefined) {
    throw new StepFailed(`there is no addon for this machine in artifacts/: scripts/build-all`)
  }
  return { root, platforms, host, others: platforms.filter((platform) => platform !== host) }
}

/** A range would let an addon of another version in, and a pin left out no addon at all. */
function checkPins({ version, optionalDependencies = {} }, platforms) {
  for (const { manifest } of platforms) {
    const pin = optionalDependencies[manifest.name]
    if (pin === version && manifest.version === version) continue
    throw new StepFailed(`${manifest.name} ${manifest.version} is pinned at ${pin}, not ${version}`)
  }
}

async function copyRoot(folder) {
  for (const file of await packedFiles()) await copyInto(folder, file)
}

async function copyInto(folder, file) {
  await mkdir(dirname(join(folder, file)), { recursive: true })
  await copyFile(join(ROOT, file), join(folder, file))
}

/** Completes the package that the CLI has begun, and gives it the addon if it was built. */
async function stage(platform, { folder, sources, publishConfig }) {
  const own = join(folder, 'npm', platform.name)
  const manifest = await readManifest(own)
  manifest.files = [...manifest.files, ...LEGAL]
  manifest.publishConfig = publishConfig
  await writeFile(join(own, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  for (const file of LEGAL) await copyInto(own, file)
  const state = stateOf(platform, sources)
  if (state === 'stale') {
    throw new StepFailed(
      `artifacts/${platform.file} was built from other sources: scripts/build-all --only ${platform.name} builds it anew`,
    )
  }
  const binary = join(own, platform.file)
  // The CLI refuses platforms without a binary; an empty one stands in, and is not packed.
  if (state === 'missing') await writeFile(binary, '')
  else await copyFile(artifactOf(platform), binary)
  return { ...platform, folder: own, manifest, isBuilt: state === 'fresh' }
}

async function packBuilt({ folder, isBuilt, ...platform }) {
  return isBuilt ? { ...platform, ...(await pack(folder)) } : platform
}

async function pack(folder) {
  const [{ filename, size, unpackedSize, files }] = JSON.parse(await npm(PACK, { cwd: folder }))
  const manifest = await readManifest(folder)
  const paths = files.map(({ path }) => path)
  return { manifest, tarball: join(folder, filename), size, unpackedSize, files: paths }
}

const readManifest = async (folder) =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))

function napi(command, folder, ...args) {
  const cli = join(ROOT, 'node_modules', '@napi-rs', 'cli', 'dist', 'cli.js')
  return node([cli, command, '--cwd', folder, ...args])
}
