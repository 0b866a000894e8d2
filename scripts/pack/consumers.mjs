// Packs the package, installs it where there is nothing else, and uses it in every way it is meant
// to be used. Prints a table of who used it how, with what result.

import { readFileSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { ROOT, StepFailed } from '../steps.mjs'
import { npm } from './captured.mjs'
import { checkPackages } from './gates.mjs'
import { bareEnvironment, installPackage, installTools } from './install.mjs'
import { minting } from './minting.mjs'
import { runRows } from './rows.mjs'
import { attw, publint } from './shape.mjs'
import { forHost, packAll } from './stage.mjs'
import { compilers, typescriptConsumers } from './typescript.mjs'

const PROGRAMS = [
  { title: 'JavaScript', form: 'ESM', file: 'esm.mjs' },
  { title: 'JavaScript', form: 'CommonJS', file: 'cjs.cjs' },
  { title: 'JavaScript, two copies', form: 'ESM and CommonJS', file: 'both.mjs' },
]

/** Fails when one consumer fails; the host's artifact and dist/ must have been built. */
export async function checkConsumers() {
  const tools = await installTools('consumers')
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'mintid-consumers-')))
  try {
    const [stage, app] = [join(folder, 'stage'), join(folder, 'app')]
    await mkdir(stage)
    await mkdir(app)
    const packages = forHost(await packAll(stage))
    await checkPackages(packages)
    const failed = await runRows([
      { title: 'publint --strict', form: 'tarball', check: () => publint(tools, packages.root) },
      { title: 'attw', form: 'tarball', check: () => attw(tools, packages.root) },
      { title: 'npm install', form: 'registry', check: () => installPackage(app, packages) },
      ...(await users(app, packages, tools)),
    ])
    if (failed > 0) throw new StepFailed(`${failed} consumers failed`)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Those who use what was installed. */
async function users(app, { root, host }, tools) {
  const mint = minting(join(app, 'ids.db'))
  const runProgram = async (program) => {
    const { addons = [] } = await mint(program, app)
    const own = join('node_modules', host.manifest.name, host.manifest.main)
    const stranger = addons.map((file) => relative(app, file)).find((file) => file !== own)
    if (stranger !== undefined) throw new StepFailed(`it loaded the addon ${stranger}`)
    return 'mints'
  }
  const programs = PROGRAMS.map(({ title, form, file }) => ({
    title,
    form,
    check: async () => {
      await copyFile(join(ROOT, 'scripts', 'consumers', 'programs', file), join(app, file))
      return await runProgram(join(app, file))
    },
  }))
  const entryPoints = Object.entries(root.manifest.exports)
    .filter(([, point]) => typeof point === 'object' && !isForFramework(point, root.manifest))
    .map(([path]) => `${root.manifest.name}${path.slice(1)}`)
  const context = { folder: app, entryPoints, runProgram }
  const typescript = (await compilers(tools)).flatMap((each) => typescriptConsumers(each, context))
  return [...programs, ...commands(root.manifest, app), ...typescript]
}

/** Whether the types of an entry point need those of a framework, which this application has not. */
function isForFramework({ require }, { peerDependencies = {} }) {
  const types = readFileSync(join(ROOT, require.types), 'utf8')
  return Object.keys(peerDependencies).some((name) => types.includes(`from '${name}`))
}

/** Every command of the package starts where it was installed. */
function commands({ bin = {} }, app) {
  return Object.keys(bin).map((name) => ({
    title: `npx ${name} --help`,
    form: 'command',
    check: async () => {
      const help = await npm(['exec', '--offline', '--', name, '--help'], {
        cwd: app,
        env: bareEnvironment(),
      })
      if (!help.includes(name)) throw new StepFailed(`it does not name itself:\n${help}`)
      return 'helps'
    },
  }))
}
