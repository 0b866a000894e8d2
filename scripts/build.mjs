// Builds the addon and the TypeScript, after which the checkout resolves as the package `mintid`.
// `--release` builds the addon for use, without it for tests; both write the same file.

import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setup } from './setup.mjs'
import { IN_CI, isMain, local, main, ROOT, run, step } from './steps.mjs'

/** Builds what has changed. */
export async function build({ release }) {
  await step(`build the addon (${release ? 'release' : 'dev'})`, () => buildAddon(release))
  await step('build the TypeScript', buildTypeScript)
}

function buildAddon(release) {
  const profile = release ? ['--release'] : []
  const names = ['--platform', '--no-js', '--dts', 'binding.d.cts']
  const locked = IN_CI ? ['--', '--locked'] : []
  return run(local('napi'), ['build', ...profile, ...names, ...locked], { quiet: true })
}

/** Fills dist/. The addon must have been built once, for its types. */
export async function buildTypeScript() {
  const dist = join(ROOT, 'dist')
  // A file whose source is gone would otherwise be published.
  await rm(dist, { recursive: true, force: true })
  await run(local('tsc'), ['-p', 'tsconfig.build.json'], { quiet: true })
  // `import` needs declarations of its own kind beside its module; the types themselves exist once.
  await writeFile(join(dist, 'index.d.mts'), "export * from '../index.js'\n")
  await writeFile(join(dist, 'testing', 'index.d.mts'), "export * from '../../testing.js'\n")
}

if (isMain(import.meta.url)) {
  await main(async () => {
    await setup()
    await build({ release: process.argv.includes('--release') })
  })
}
