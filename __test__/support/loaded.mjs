// What comes with an entry point.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The files of other packages that an entry point loads, and whether JSON knows bigint after it. */
export async function loadedBy(entryPoint) {
  const source = `
    require('${entryPoint}')
    const packages = Object.keys(require.cache).filter((file) => file.includes('node_modules'))
    const isPatched = 'toJSON' in BigInt.prototype
    console.log(JSON.stringify({ packages, isPatched }))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', source], { cwd: ROOT })
  return JSON.parse(stdout)
}
