// An application in a folder of its own, with nothing around it, and the programs that it runs.

import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { npm } from '../pack/captured.mjs'
import { bareEnvironment, npmSettings } from '../pack/install.mjs'
import { ROOT } from '../steps.mjs'

export const PROGRAMS = ['esm.mjs', 'cjs.cjs']

/** An empty application that has the programs of `scripts/consumers`. */
export async function newApp({ folder }, name) {
  const app = join(folder, name, 'app')
  await mkdir(app, { recursive: true })
  await writeFile(join(app, 'package.json'), '{ "private": true }\n')
  for (const program of PROGRAMS) {
    await copyFile(join(ROOT, 'scripts', 'consumers', 'programs', program), join(app, program))
  }
  return app
}

/** Installs the package by npm. */
export async function install(app, { registry, root }, words = []) {
  await npmIn(app, { registry }, ['install', root.manifest.name, ...words])
}

/** Any other command of npm, on the registry of our own. */
export const npmIn = (app, { registry }, words) =>
  npm([...words, ...npmSettings(registry, app)], { cwd: app, env: bareEnvironment() })

/** Runs both programs, by this Node or by a command. */
export async function mintBoth(app, { mint }, command) {
  for (const program of PROGRAMS) await mint(program, app, command)
  return 'mints'
}
