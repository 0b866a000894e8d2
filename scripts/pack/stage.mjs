// The packages as they will be published: a copy of what the root tarball holds, in a folder of its
// own, where the napi CLI writes the platform packages and names them as optional dependencies.
// The checkout keeps neither: a version there would be one more that can be forgotten.

import { copyFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ROOT, StepFailed } from '../steps.mjs'
import { node, npm } from './captured.mjs'

const PACK = ['pack', '--json', '--ignore-scripts']

/** The files that the root tarball holds, as npm tells them. */
export async function packedFiles() {
  const [{ files }] = JSON.parse(await npm([...PACK, '--dry-run'], { cwd: ROOT }))
  return files.map(({ path }) => path)
}

/**
 * Packs the root and this host's platform package.
 *
 * @returns `{ root, host, others }`: packages as `{ manifest, tarball, size, unpackedSize }`;
 * `others` are the platforms that were not built, and have no tarball.
 */
export async function packAll(folder) {
  await copyRoot(folder)
  await napi('create-npm-dirs', folder)
  const platforms = await readPlatforms(folder)
  const host = platforms.find(({ manifest }) => isHost(manifest))
  if (host === undefined) throw new StepFailed('napi.targets has no target for this platform')
  for (const platform of platforms) await placeBinary(platform, platform === host)
  // Writes the exact optionalDependencies and checks every manifest, and publishes nothing.
  await napi('prepublish', folder, '-t', 'npm', '--no-gh-release', '--skip-optional-publish')
  const root = await pack(folder)
  checkPins(root.manifest, platforms)
  const others = platforms.filter((platform) => platform !== host)
  return { root, host: await pack(host.folder), others }
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
  for (const file of await packedFiles()) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await copyFile(join(ROOT, file), join(folder, file))
  }
}

async function readPlatforms(folder) {
  const names = await readdir(join(folder, 'npm'))
  return await Promise.all(names.sort().map((name) => readPackage(join(folder, 'npm', name))))
}

async function readPackage(folder) {
  return { folder, manifest: JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) }
}

function isHost({ os, cpu, libc }) {
  const { glibcVersionRuntime } = process.report.getReport().header
  const own = glibcVersionRuntime === undefined ? 'musl' : 'glibc'
  const isOfLibc = libc === undefined || libc.includes(own)
  return os.includes(process.platform) && cpu.includes(process.arch) && isOfLibc
}

/** The CLI refuses platforms without a binary; an empty one stands in for those not built here. */
async function placeBinary({ folder, manifest }, isBuiltHere) {
  const binary = join(folder, manifest.main)
  if (!isBuiltHere) return await writeFile(binary, '')
  if (!(await stat(join(ROOT, manifest.main)).catch(() => undefined))) {
    throw new StepFailed(`${manifest.main} is missing: npm run build makes it`)
  }
  await copyFile(join(ROOT, manifest.main), binary)
}

async function pack(folder) {
  const [{ filename, size, unpackedSize }] = JSON.parse(await npm(PACK, { cwd: folder }))
  const { manifest } = await readPackage(folder)
  return { manifest, tarball: join(folder, filename), size, unpackedSize }
}

function napi(command, folder, ...args) {
  const cli = join(ROOT, 'node_modules', '@napi-rs', 'cli', 'dist', 'cli.js')
  return node([cli, command, '--cwd', folder, ...args])
}
