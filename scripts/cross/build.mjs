// Builds the addon for one platform into artifacts/.

import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { IN_CI, local, ROOT, run } from '../steps.mjs'
import { sourcesDigest } from './sources.mjs'
import { rustTarget, zig } from './toolchain.mjs'

export const ARTIFACTS = join(ROOT, 'artifacts')

const LOCKED = IN_CI ? ['--locked'] : []

/** Does what `wayOf` has said, and gives the file that was made. */
export async function buildPlatform(platform, way) {
  if (way.kind === 'trial') return await tryOut(way)
  mkdirSync(ARTIFACTS, { recursive: true })
  const sources = sourcesDigest()
  await builders[way.kind](way)
  const file = artifactOf(platform)
  writeFileSync(noteOf(platform), `${JSON.stringify({ sources })}\n`)
  return file
}

const builders = {
  zig: async ({ target, zigTarget }) => {
    const { env } = await zig()
    await rustTarget(target)
    await napiBuild(['--cross-compile', '--target', zigTarget], env)
  },
  native: ({ target }) => napiBuild(['--target', target]),
}

function napiBuild(args, env) {
  const out = ['--no-js', '--output-dir', 'artifacts', '--dts', '../binding.d.cts']
  const all = ['build', '--platform', '--release', ...out, ...args, '--', ...LOCKED]
  return run(local('napi'), all, { quiet: true, env })
}

/** What is published comes from another machine: the napi CLI builds none of these on this one. */
async function tryOut({ target, library }) {
  const { env, frameworks } = await zig()
  await rustTarget(target)
  const args = ['zigbuild', '--release', '--package', 'mintid-node', '--target', target, ...LOCKED]
  const flags = target.endsWith('-darwin') && { RUSTFLAGS: `-C link-arg=-F${frameworks}` }
  await run('cargo', args, { quiet: true, env: { ...env, ...flags } })
  return join(ROOT, 'target', target, 'release', library)
}

/** Where the addon of a platform is, once it was built. */
export const artifactOf = ({ file }) => join(ARTIFACTS, file)

const noteOf = ({ name }) => join(ARTIFACTS, `${name}.json`)

/** Whether an addon is there, and made of the sources as they are: `missing`, `stale` or `fresh`. */
export function stateOf(platform, now = sourcesDigest()) {
  if (!statSync(artifactOf(platform), { throwIfNoEntry: false })) return 'missing'
  const { sources } = JSON.parse(readFileSync(noteOf(platform), 'utf8'))
  return sources === now ? 'fresh' : 'stale'
}
