// Builds the addon and the TypeScript, after which the checkout resolves as the package `mintid`.
// `--release` builds the addon for use, without it for tests; both write the same file.

import { readFileSync } from 'node:fs'
import { copyFile, rm, writeFile } from 'node:fs/promises'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { setup } from './setup.mjs'
import { IN_CI, isMain, local, main, ROOT, run, StepFailed, step } from './steps.mjs'

/** Where the compiler writes what dist/ is put together from. */
const MODULES = join(ROOT, 'target', 'js')
const SHARED = 'mintid'
const OWN_FOLDERS = /^(?!addon)[\w-]+[\\/]/
/** What the frameworks share. */
const HTTP = /^http[\\/]/
const INJECTION = /^nest[\\/](inject|tokens)\.js$/

/** What a program may load, as `{ name, types }`, and the command: all from the manifest. */
function entries({ exports, bin }) {
  const points = Object.values(exports).filter((point) => typeof point === 'object')
  const name = (file) => /^(?:\.\/)?dist\/(.+)\.js$/.exec(file)[1]
  return [
    ...points.map(({ require }) => ({ name: name(require.default), types: require.types })),
    ...Object.values(bin).map((file) => ({ name: name(file) })),
  ]
}

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
  const points = entries(readManifest())
  // Loaded here: a fresh checkout has to be set up first.
  const { rollup } = await import('rollup')
  const bundle = await rollup({
    input: Object.fromEntries(points.map(({ name }) => [name, join(MODULES, `${name}.js`)])),
    external: (id) => !/^[./]/.test(id) && !isAbsolute(id),
    plugins: [{ name: 'manifest', load: loadManifest }],
    onwarn: ({ code, message }) => {
      // What the compiler writes for a decorator asks first whether `this` has it already.
      if (code !== 'THIS_IS_UNDEFINED') throw new StepFailed(message)
    },
  })
  await bundle.write({
    dir: dist,
    format: 'cjs',
    exports: 'named',
    chunkFileNames: '[name].js',
    manualChunks: (id) => sharedFile(relative(MODULES, id)),
    externalLiveBindings: false,
    hoistTransitiveImports: false,
    generatedCode: { constBindings: true },
    strict: true,
  })
  await bundle.close()
  for (const { name, types } of points) if (types !== undefined) await writeModule(name, types)
}

/**
 * The file that shared code goes to. Who mints needs none of what is in folders of its own:
 * frameworks, the command, tests.
 */
function sharedFile(module) {
  if (HTTP.test(module)) return 'http'
  if (INJECTION.test(module)) return 'nest/inject'
  return OWN_FOLDERS.test(module) ? undefined : SHARED
}

/** In the place of a file to be found and read at every start. */
function loadManifest(id) {
  if (!id.endsWith(join(sep, 'manifest.js'))) return null
  const { version, engines, repository, bugs } = readManifest()
  const manifest = JSON.stringify({ version, engines, repository, bugs })
  return `export const manifest = ${manifest}`
}

/** What `import` takes: the same objects, and declarations of its own kind; the types exist once. */
async function writeModule(name, types) {
  const module = join(ROOT, 'dist', name)
  await copyFile(join(MODULES, `${name}.mjs`), `${module}.mjs`)
  const path = relative(dirname(module), join(ROOT, types)).replaceAll('\\', '/')
  const from = `from '${path.replace(/\.d\.ts$/, '.js')}'\n`
  await writeFile(`${module}.d.mts`, `export * ${from}${exportOfDefault(types, from)}`)
}

/** `export *` leaves out a default, and that of CommonJS would be the module as a whole. */
function exportOfDefault(types, from) {
  const [, name] = /^export default (\w+)$/m.exec(readFileSync(join(ROOT, types), 'utf8')) ?? []
  return name === undefined ? '' : `export { ${name} as default } ${from}`
}

const readManifest = () => JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))

if (isMain(import.meta.url)) {
  await main(async () => {
    await setup()
    await build({ release: process.argv.includes('--release') })
  })
}
