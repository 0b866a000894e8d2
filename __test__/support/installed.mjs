// The package as it is installed, in a folder of its own and without an addon, on a faked machine.

import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { folderOf } from './folder.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FAKED = fileURLToPath(new URL('faked-host.cjs', import.meta.url))

/** The start of a program, as far as it is read. */
const ELF = '\x7fELF\x02\x01\x01\0\0/lib/LOADER\0'

/** Tells as JSON how loading went; errors of other processes come without their fields. */
const LOAD = `
  try {
    require('mintid')
    console.log(JSON.stringify({ loaded: true }))
  } catch (error) {
    const { message, code, cause } = error
    console.log(JSON.stringify({ message, code, cause: cause?.message }))
  }`

/**
 * Installs the package with platform packages, `{ name: { version, main, text } }`, each of one file
 * at most: `text` is what stands in it.
 *
 * @returns `load(host, env)`, which loads it in a process of its own and gives how that went
 */
export function installed(t, packages = {}) {
  const folder = folderOf(t)
  const modules = join(folder, 'node_modules')
  for (const part of ['dist', 'package.json']) {
    cpSync(join(ROOT, part), join(modules, 'mintid', part), { recursive: true })
  }
  for (const [name, { version, main, text }] of Object.entries(packages)) {
    mkdirSync(join(modules, name))
    writeFileSync(join(modules, name, 'package.json'), JSON.stringify({ name, version, main }))
    if (text !== undefined) writeFileSync(join(modules, name, main), text)
  }
  const load = (host = {}, env = {}) => {
    if (host.program) writeFileSync(join(folder, host.program), ELF.replace('LOADER', host.program))
    return JSON.parse(
      execFileSync(process.execPath, ['-r', FAKED, '--eval', LOAD], {
        cwd: folder,
        env: { ...process.env, ...env, FAKED_HOST: JSON.stringify(host) },
        encoding: 'utf8',
      }),
    )
  }
  return { folder, load }
}
