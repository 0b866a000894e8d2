// Package managers, each as its users have it, and the ways in which the addon does not arrive.

import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { captured, node } from '../pack/captured.mjs'
import { bareEnvironment } from '../pack/install.mjs'
import { StepFailed } from '../steps.mjs'
import { install, mintBoth, newApp, npmIn } from './app.mjs'

const UNAVAILABLE = 'ERR_MINTID_ADDON_UNAVAILABLE'
/** What is installed for another machine than this one. */
const ELSEWHERE = { os: 'linux', cpu: 'arm64', libc: 'musl' }

export function managerRows(context) {
  const row = (title, form, check) => ({
    title,
    form,
    check: async () =>
      check(await newApp(context, `${title}-${form}`.replace(/\W+/g, '-')), context),
  })
  return [
    row('npm install', 'node_modules', byNpm),
    row('pnpm add', 'isolated node_modules', byPnpm),
    row('yarn add', "Plug'n'Play", byYarn),
    row('npm ci', 'lock file made on macOS', byForeignLock),
    row('npm install', '--os --cpu --libc', forAnother),
    row('npm install', '--omit=optional', withoutOptional),
    row('npm install', 'addon removed by hand', removed),
    row('npm ci', 'lock file without this platform', byPoorLock),
    row('pnpm pack', 'platforms in the manifest', packedByPnpm),
  ]
}

async function byNpm(app, context) {
  await install(app, context)
  return await mintBoth(app, context)
}

async function byPnpm(app, context) {
  const { tools, registry, root } = context
  const pnpm = join(tools, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs')
  const places = { registry: registry.url, 'store-dir': join(app, '..', 'store') }
  const settings = Object.entries({ ...places, 'cache-dir': join(app, '..', 'cache') })
  const words = settings.map(([name, value]) => `--config.${name}=${value}`)
  await node([pnpm, 'add', root.manifest.name, ...words], { cwd: app, env: loopback() })
  const names = await readdir(join(app, 'node_modules'))
  if (names.some((name) => name.startsWith('mintid-'))) throw new StepFailed('it was hoisted')
  return await mintBoth(app, context)
}

/** Whoever packs it: the root names every platform, at its own version. */
async function packedByPnpm(app, { tools, root, platforms }) {
  const out = join(app, 'root.tgz')
  const pnpm = join(tools, 'node_modules', 'pnpm', 'bin', 'pnpm.cjs')
  await node([pnpm, 'pack', '--out', out], { cwd: dirname(root.tarball), env: loopback() })
  const text = await captured('tar', ['-xzOf', out, 'package/package.json'])
  const { version, optionalDependencies = {} } = JSON.parse(text)
  const wrong = platforms.filter((platform) => optionalDependencies[platform.package] !== version)
  if (wrong.length > 0) throw new StepFailed(`it lacks ${wrong.map(({ name }) => name)}`)
  return `names ${platforms.length} at ${version}`
}

async function byYarn(app, context) {
  const { tools, registry, root } = context
  const yarn = join(tools, 'node_modules', '@yarnpkg', 'cli-dist', 'bin', 'yarn.js')
  const settings = {
    nodeLinker: 'pnp',
    pnpEnableEsmLoader: true,
    npmRegistryServer: registry.url,
    unsafeHttpWhitelist: ['127.0.0.1'],
    enableGlobalCache: false,
    enableTelemetry: false,
    // Our own packages are new, and their registry tells no times.
    npmMinimalAgeGate: 0,
    globalFolder: join(app, '..', 'yarn'),
  }
  await writeFile(join(app, '.yarnrc.yml'), JSON.stringify(settings))
  await writeFile(join(app, 'yarn.lock'), '')
  await node([yarn, 'add', root.manifest.name], { cwd: app, env: loopback() })
  if ((await readdir(app)).includes('node_modules')) throw new StepFailed('it made node_modules')
  return await mintBoth(app, context, [process.execPath, yarn, 'node'])
}

async function byForeignLock(app, context) {
  await install(app, context, ['--package-lock-only', '--os=darwin', '--cpu=arm64'])
  await npmIn(app, context, ['ci'])
  return await mintBoth(app, context)
}

/** As an image or an archive is made on one machine for another. */
async function forAnother(app, context) {
  const words = Object.entries(ELSEWHERE).map(([name, value]) => `--${name}=${value}`)
  const there = context.platforms.find(({ os, cpu, libc }) =>
    Object.entries({ os, cpu, libc }).every(([name, value]) => ELSEWHERE[name] === value),
  )
  if (there.tarball === undefined) throw new StepFailed(`${there.name} was not built`)
  await install(app, context, words)
  const addons = (await readdir(join(app, 'node_modules'))).filter((name) => /^mintid-/.test(name))
  if (addons.join() !== there.package) throw new StepFailed(`it brought ${addons}`)
  return `brings ${there.package}`
}

async function withoutOptional(app, context) {
  await install(app, context, ['--omit=optional'])
  return await refused(app, context)
}

async function removed(app, context) {
  await install(app, context)
  await rm(join(app, 'node_modules', context.host.package), { recursive: true })
  return await refused(app, context)
}

/** As older versions of npm write it, from a node_modules of another platform. */
async function byPoorLock(app, context) {
  await install(app, context, ['--package-lock-only'])
  const file = join(app, 'package-lock.json')
  const lock = JSON.parse(await readFile(file, 'utf8'))
  delete lock.packages[`node_modules/${context.host.package}`]
  delete lock.packages['node_modules/mintid'].optionalDependencies[context.host.package]
  await writeFile(file, JSON.stringify(lock))
  await npmIn(app, context, ['ci'])
  return await refused(app, context)
}

/** That loading fails with what is missing here, and what to do. */
async function refused(app, { host }) {
  const source =
    'try { require("mintid") } catch ({ code, message }) { console.log(code, message) }'
  const told = await node(['--eval', source], { cwd: app, env: bareEnvironment() })
  const wanted = `${host.package} ${host.manifest.version}`
  for (const part of [UNAVAILABLE, `wanted    ${wanted}`, 'cause ', '  3. ']) {
    if (!told.includes(part)) throw new StepFailed(`it says nothing of "${part}":\n${told}`)
  }
  return `says that ${wanted} is wanted`
}

/** The registry is on this machine, whatever proxy is set. */
const loopback = () => ({
  ...bareEnvironment(),
  NO_PROXY: '127.0.0.1',
  no_proxy: '127.0.0.1',
  CI: '',
})
