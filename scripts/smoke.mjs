// `node scripts/smoke.mjs FOLDER [--with npm|bun|deno]`: installs the packed packages of a folder by
// their name, where there is nothing else, and mints with them. Needs nothing but Node, tar and
// the runtime: it is for machines that are not set up to build.

import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from './folder.mjs'
import { BadOption, optionsOf, readWords } from './options.mjs'
import { captured } from './pack/captured.mjs'
import { bareEnvironment } from './pack/install.mjs'
import { serve } from './pack/registry.mjs'
import { readTarballs } from './publish/tarballs.mjs'
import { main, ROOT, StepFailed } from './steps.mjs'

const PROGRAMS = ['esm.mjs', 'cjs.cjs']

/** How a runtime installs a package, and runs a program. */
const RUNTIMES = {
  npm: { install: ['npm', 'install', 'mintid'], run: ['node'] },
  bun: { install: ['bun', 'add', 'mintid'], run: ['bun', 'run'] },
  deno: { install: ['deno', 'add', 'npm:mintid'], run: ['deno', 'run', '--allow-all'] },
}

await main(async () => {
  const options = optionsOf('smoke', readOptions)
  if (options === undefined) return
  const { install, run } = RUNTIMES[options.runtime]
  const { root, platforms } = await readTarballs(options.folder, 'mintid')
  const folder = temporaryFolder('smoke')
  await writeFile(join(folder, 'package.json'), '{ "private": true }\n')
  const registry = await serve([root, ...platforms])
  try {
    await start(install, { folder, registry })
  } finally {
    await registry.close()
  }
  for (const program of PROGRAMS) {
    await copyFile(join(ROOT, 'scripts', 'consumers', 'programs', program), join(folder, program))
    const told = await start([...run, program, 'sqlite:ids.db'], { folder, registry })
    const { memory, sqlite } = JSON.parse(told)
    if (memory.join() !== '1,2,3,4' || sqlite.length !== 4) {
      throw new StepFailed(`${program} with ${options.runtime} minted ${told}`)
    }
    process.stdout.write(`${program} with ${options.runtime}: mints ${sqlite} from SQLite\n`)
  }
})

function readOptions(args) {
  const flags = { with: { type: 'string', default: 'npm' } }
  const { positionals, values } = readWords(args, flags)
  if (positionals.length !== 1) throw new BadOption('one folder of tarballs is due')
  const runtime = values.with
  if (!Object.hasOwn(RUNTIMES, runtime)) {
    const names = Object.keys(RUNTIMES).join(', ')
    throw new BadOption(`--with is '${runtime}': one of ${names} is due`)
  }
  return { folder: positionals[0], runtime }
}

/** All three take npm's variables for the registry. */
function start([command, ...words], { folder, registry: { url } }) {
  const env = {
    ...bareEnvironment(),
    npm_config_registry: url,
    NPM_CONFIG_REGISTRY: url,
    npm_config_cache: join(folder, 'npm-cache'),
    BUN_INSTALL_CACHE_DIR: join(folder, 'bun-cache'),
    DENO_DIR: join(folder, 'deno-cache'),
    NO_PROXY: '127.0.0.1',
    no_proxy: '127.0.0.1',
  }
  const shell = process.platform === 'win32'
  return captured(command, words, { cwd: folder, env, shell })
}
