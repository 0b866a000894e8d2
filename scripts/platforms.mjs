// The platforms that the package is published for: the targets in package.json, in the words of npm.
// Uses nothing that has to be installed first.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './steps.mjs'

const CPUS = { x86_64: 'x64', aarch64: 'arm64' }
const SYSTEMS = {
  'unknown-linux-gnu': { os: 'linux', abi: 'gnu', libc: 'glibc' },
  'unknown-linux-musl': { os: 'linux', abi: 'musl', libc: 'musl' },
  'apple-darwin': { os: 'darwin' },
  'pc-windows-msvc': { os: 'win32', abi: 'msvc' },
}

/**
 * Every platform as `{ target, name, package, file, os, cpu, libc }`: `name` is what the napi CLI
 * calls it, such as `linux-x64-gnu`; `libc` is `glibc`, `musl` or undefined.
 */
export const PLATFORMS = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
).napi.targets.map((target) => {
  const [, machine, system] = /^(\w+?)-(.+)$/.exec(target)
  const { os, abi, libc } = SYSTEMS[system]
  const cpu = CPUS[machine]
  const name = [os, cpu, abi].filter(Boolean).join('-')
  return { target, name, package: `mintid-${name}`, file: `mintid.${name}.node`, os, cpu, libc }
})

/** The platform that this machine is; undefined where no package is published for it. */
export const HOST = PLATFORMS.find(({ os, cpu, libc }) => {
  const { glibcVersionRuntime } = process.report.getReport().header
  const own = glibcVersionRuntime === undefined ? 'musl' : 'glibc'
  return os === process.platform && cpu === process.arch && (libc ?? own) === own
})
