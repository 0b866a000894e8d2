// The versions of Node that are measured: npm packages that hold nothing but the binary.

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, run, step } from '../scripts/steps.mjs'

/** Limits hold for the judged versions; the others are reported. */
export const MAJORS = [
  { major: 20, judged: true },
  { major: 22, judged: false },
  { major: 24, judged: true },
  { major: 26, judged: false },
]

const ATTEMPTS = 3
const CACHE = join(ROOT, '.cache', 'bench', 'nodes')
const PACKAGE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`
const BINARY = process.platform === 'win32' ? 'node.exe' : 'node'

/**
 * The binaries of all versions, installed where they are not yet. One that cannot be had is left
 * out with a warning, unless the running Node is of that version.
 */
export async function findNodes() {
  const nodes = []
  for (const { major, judged } of MAJORS) {
    const path = await findNode(major)
    if (path !== undefined) nodes.push({ major, judged, path })
  }
  return nodes
}

async function findNode(major) {
  // A folder for each: the packages would fight over one name in `.bin`.
  const folder = join(CACHE, String(major))
  const path = join(folder, 'node_modules', PACKAGE, 'bin', BINARY)
  if (existsSync(path)) return path
  try {
    await step(`install Node ${major}`, () => install(folder, major))
    return path
  } catch (error) {
    if (isRunning(major)) return process.execPath
    process.stderr.write(`\n!! Node ${major} IS NOT MEASURED: ${error.message}\n\n`)
  }
}

async function install(folder, major) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n')
  const args = ['install', '--prefix', folder, '--prefer-offline', '--loglevel=error']
  for (let attempt = 1; ; attempt++) {
    try {
      return await run('npm', [...args, `${PACKAGE}@${major}`], { quiet: true })
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
      process.stderr.write(`${error.message}; trying again\n`)
    }
  }
}

const isRunning = (major) => Number(process.versions.node.split('.')[0]) === major
