// Builds the addon and the TypeScript, after which the checkout resolves as the package `mintid`.
// `--release` builds the addon for use, without it for tests; both write the same file.

import { readFileSync } from 'node:fs'
import { copyFile, rm, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { setup } from './setup.mjs'
import { IN_CI, isMain, local, main, ROOT, run, StepFailed, step } from './steps.mjs'

/** Where the compiler writes what dist/ is put together from. */
const MODULES = join(ROOT, 'target', 'js')
/** What a program may load, and the command. */
const ENTRIES = ['index', 'testing/index', 'cli/mintid']
const SHARED = 'mintid'

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

/**
 * Fills dist/. The addon must have been built once, for its types.
 *
 * A file per entry point, and one with all that they share: a process that needs one id does not
 * look for twenty files first.
 */
export async function buildTypeScript() {
  const dist = join(ROOT, 'dist')
  // A file whose source is gone would otherwise be published.
  await rm(MODULES, { recursive: true, force: true })
  await run(local('tsc'), ['-p', 'tsconfig.build.json'], { quiet: true })
  await rm(dist, { recursive: true, force: true })
  // Loaded here: a fresh checkout has to be set up first.
  const { rollup } = await import('rollup')
  const bundle = await rollup({
    input: Object.fromEntries(ENTRIES.map((name) => [name, join(MODULES, `${name}.js`)])),
    external: /^node:/,
    plugins: [{ name: 'manifest', load: loadManifest }],
    onwarn: ({ message }) => {
      throw new StepFailed(message)
    },
  })
  await bundle.write({
    dir: dist,
    format: 'cjs',
    chunkFileNames: '[name].js',
    // Who mints needs neither the command nor what is there for tests.
    manualChunks: (id) => (/[\\/](cli|testing)[\\/]/.test(id) ? undefined : SHARED),
    externalLiveBindings: false,
    hoistTransitiveImports: false,
    generatedCode: { constBindings: true },
    strict: true,
  })
  await bundle.close()
  for (const folder of ['.', 'testing']) await writeModule(join(dist, folder), folder)
}

/** In the place of a file to be found and read at every start. */
function loadManifest(id) {
  if (!id.endsWith(join(sep, 'manifest.js'))) return null
  const { version, engines, repository, bugs } = JSON.parse(
    readFileSync(join(ROOT, 'package.json'), 'utf8'),
  )
  const manifest = JSON.stringify({ version, engines, repository, bugs })
  return `export const manifest = ${manifest}`
}

/** What `import` takes: the same objects, and declarations of its own kind; the types exist once. */
async function writeModule(folder, name) {
  await copyFile(join(MODULES, name, 'index.mjs'), join(folder, 'index.mjs'))
  const types = { '.': '../index.js', testing: '../../testing.js' }[name]
  await writeFile(join(folder, 'index.d.mts'), `export * from '${types}'\n`)
}

if (isMain(import.meta.url)) {
  await main(async () => {
    await setup()
    await build({ release: process.argv.includes('--release') })
  })
}
