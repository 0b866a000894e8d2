// Packs the package, installs it where there is nothing else, and uses it in every way it is meant
// to be used. Prints a table of who used it how, with what result.

import { copyFile, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { HOST } from '../platforms.mjs'
import { ROOT, StepFailed } from '../steps.mjs'
import { printTable } from '../table.mjs'
import { node, npm } from './captured.mjs'
import { checkPackages } from './gates.mjs'
import { bareEnvironment, installPackage, installTools } from './install.mjs'
import { attw, publint } from './shape.mjs'
import { packAll } from './stage.mjs'
import { compilers, typescriptConsumers } from './typescript.mjs'

const PROGRAMS = [
  { title: 'JavaScript', form: 'ESM', file: 'esm.mjs' },
  { title: 'JavaScript', form: 'CommonJS', file: 'cjs.cjs' },
  { title: 'JavaScript, two copies', form: 'ESM and CommonJS', file: 'both.mjs' },
]

/** Fails when one consumer fails; the host's artifact and dist/ must have been built. */
export async function checkConsumers() {
  const tools = await installTools()
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'mintid-consumers-')))
  try {
    const [stage, app] = [join(folder, 'stage'), join(folder, 'app')]
    await mkdir(stage)
    await mkdir(app)
    const packages = forHost(await packAll(stage))
    await checkPackages(packages)
    const failed = await runAll([
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

/** The package that this machine installs by itself, beside all others. */
function forHost({ root, platforms }) {
  const host = platforms.find(({ name }) => name === HOST?.name)
  if (host?.tarball === undefined) {
    throw new StepFailed(`there is no addon for this machine in artifacts/: scripts/build-all`)
  }
  return { root, platforms, host, others: platforms.filter((platform) => platform !== host) }
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
  const entryPoints = Object.keys(root.manifest.exports)
    .filter((path) => !path.endsWith('.json'))
    .map((path) => `${root.manifest.name}${path.slice(1)}`)
  const context = { folder: app, entryPoints, runProgram }
  const typescript = (await compilers(tools)).flatMap((each) => typescriptConsumers(each, context))
  return [...programs, ...commands(root.manifest, app), ...typescript]
}

/** Runs programs, each of which tells the ids it minted in memory and from one file for them all. */
function minting(file) {
  const seen = new Set()
  return async (program, cwd) => {
    const told = JSON.parse(
      await node([program, `sqlite:${file}`], { cwd, env: bareEnvironment() }),
    )
    const counted = told.memory.map((_, i) => String(i + 1))
    if (told.memory.length === 0 || told.memory.join() !== counted.join()) {
      throw new StepFailed(`minted ${told.memory} in memory, expected ${counted}`)
    }
    if (told.sqlite.length === 0) throw new StepFailed('minted nothing from SQLite')
    for (const id of told.sqlite) {
      if (seen.has(id)) throw new StepFailed(`minted ${id} from SQLite, as another consumer had`)
      seen.add(id)
    }
    return told
  }
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

/** Runs consumers in their order and prints the table; gives how many failed. */
async function runAll(consumers) {
  const rows = []
  const complaints = []
  for (const { title, form, check } of consumers) {
    try {
      rows.push([title, form, await check()])
    } catch (error) {
      rows.push([title, form, 'FAILED'])
      const reason = error instanceof StepFailed ? error.message : error.stack
      complaints.push(`\n${title} (${form}):\n${reason}\n`)
    }
  }
  printTable(['consumer', 'module form', 'result'], rows)
  process.stdout.write(complaints.join(''))
  return complaints.length
}
