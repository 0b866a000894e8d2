// Installs into empty folders: our own packages from the registry on loopback, and the tools that
// judge them from lock files of their own.

import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { attempted, ROOT, StepFailed, step } from '../steps.mjs'
import { npm } from './captured.mjs'
import { serve } from './registry.mjs'

const QUIET = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error']

const SWITCHES = /^(NAPI_RS_|MINTID_|NODE_OPTIONS$|npm_)/i

/** The environment of someone who has Node and nothing of ours: no Rust, and no switches set. */
export function bareEnvironment() {
  const kept = Object.entries(process.env).filter(([name]) => !SWITCHES.test(name))
  const path = process.env.PATH.split(delimiter).filter(isWithoutRust).join(delimiter)
  return { ...Object.fromEntries(kept), PATH: path }
}

/** Where a distribution keeps both, Node is needed more. */
const isWithoutRust = (folder) =>
  !existsSync(join(folder, 'cargo')) || existsSync(join(folder, 'node'))

/**
 * Installs `mintid` by its name, scripts allowed, and checks that nothing else came with it.
 *
 * @returns a line on what was installed
 */
export async function installPackage(folder, { root, host, others }) {
  const registry = await serve([root, host, ...others])
  try {
    await npm(
      ['install', root.manifest.name, '--prefix', folder, ...npmSettings(registry, folder)],
      {
        cwd: folder,
        env: bareEnvironment(),
      },
    )
    const wanted = [root, host].map(({ manifest }) => manifest)
    expectSame(
      'downloads',
      registry.downloads,
      wanted.map(({ name, version }) => `${name}-${version}.tgz`),
    )
  } finally {
    await registry.close()
  }
  const entries = await readdir(join(folder, 'node_modules'))
  const names = [root, host].map(({ manifest }) => manifest.name)
  expectSame(
    'packages',
    entries.filter((name) => !name.startsWith('.')),
    names,
  )
  return names.join(' and ')
}

/** What a machine's own settings say of registries, proxies and caches is not for this install. */
export function npmSettings({ url }, folder) {
  const cache = join(folder, '..', 'npm-cache')
  const userconfig = join(folder, '..', 'no-npmrc')
  const settings = { registry: url, noproxy: '127.0.0.1', cache, userconfig }
  return [...Object.entries(settings).map(([name, value]) => `--${name}=${value}`), ...QUIET]
}

function expectSame(what, found, wanted) {
  if (found.toSorted().join() === wanted.toSorted().join()) return
  throw new StepFailed(`${what}: ${found.join(', ')}; expected ${wanted.join(', ')}`)
}

/**
 * Installs the tools of a folder of `scripts` where their lock file has changed since the last time.
 *
 * @returns the folder they are in
 */
export async function installTools(name) {
  const [folder, own] = [join(ROOT, '.cache', name), join(ROOT, 'scripts', name)]
  const lock = join(own, 'package-lock.json')
  // Written last: an install that was interrupted has none.
  const installed = join(folder, 'installed-lock.json')
  if (existsSync(installed) && (await sameText(installed, lock))) return folder
  await step(`install the tools of scripts/${name}`, async () => {
    await mkdir(folder, { recursive: true })
    for (const file of ['package.json', 'package-lock.json']) {
      await copyFile(join(own, file), join(folder, file))
    }
    const words = ['ci', '--prefix', folder, '--ignore-scripts', '--prefer-offline', ...QUIET]
    await attempted(() => npm(words))
    await copyFile(lock, installed)
  })
  return folder
}

const sameText = async (one, other) =>
  (await readFile(one, 'utf8')) === (await readFile(other, 'utf8'))
