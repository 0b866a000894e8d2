// Finds the addon and opens it: that of this platform, of this version, or an error that says which
// was wanted, what was found instead, and what to do.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { manifest } from '../manifest.js'
import { missing, notOpened, otherVersion, unsupportedNode, unsupportedPlatform } from './errors.js'
import { requirePackage } from './packages.js'
import { thisPlatform } from './platform.js'

/** Names one file in the place of all others; known from other packages of napi's. */
const CHOICE = 'NAPI_RS_NATIVE_LIBRARY_PATH'

/**
 * Takes a path that only exists at run time, which bundlers need not follow. Seldom needed, and what
 * it needs takes Node longer to load than most of this package.
 */
function requireFile(path: string): unknown {
  const { createRequire } = require('node:module') as typeof import('node:module')
  return createRequire(__filename)(path)
}

/** The addon's exports. The library itself is opened once per process, by Node. */
export function loadAddon<T>(): T {
  checkNode()
  const { from, exports } = find(thisPlatform())
  const { VERSION: version } = exports as { VERSION?: string }
  if (version !== manifest.version) throw otherVersion(from, version)
  return exports as T
}

/** An addon may crash, not fail, under a Node that lacks what it calls. Others number otherwise. */
function checkNode(): void {
  const isNode = !('bun' in process.versions || 'deno' in process.versions)
  if (isNode && !isSupported(process.versions.node)) throw unsupportedNode()
}

/** Whether the range of the manifest, made of `^20.19`, `>=24` and `||`, has a version. */
function isSupported(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return manifest.engines.node.split('||').some((part) => {
    const [leastMajor = 0, leastMinor = 0] = part
      .replace(/[^\d.]/g, '')
      .split('.')
      .map(Number)
    if (part.includes('>=') && major > leastMajor) return true
    return major === leastMajor && minor >= leastMinor
  })
}

function find(platform: string): { from: string; exports: unknown } {
  const chosen = process.env[CHOICE]
  if (chosen) return open(chosen, `${CHOICE}=${chosen}`)
  // That of a checkout, beside dist/, which a published package does not have.
  const built = join(__dirname, '..', `mintid.${platform}.node`)
  if (existsSync(built)) return open(built, built)
  const name = `mintid-${platform}`
  const result = requirePackage(platform)
  if (result === undefined) throw unsupportedPlatform()
  if ('exports' in result) return { from: name, exports: result.exports }
  const found = versionOf(name)
  if (found === undefined) throw missing(result.cause)
  throw notOpened(`${name} ${found}`, result.cause)
}

function open(file: string, from: string): { from: string; exports: unknown } {
  try {
    return { from, exports: requireFile(file) }
  } catch (cause) {
    throw notOpened(from, cause)
  }
}

/** The version of a package that is installed, whether or not it can be loaded. */
function versionOf(name: string): string | undefined {
  try {
    return (requireFile(`${name}/package.json`) as { version: string }).version
  } catch {
    return undefined
  }
}
