// The platforms that the package is published for: the targets in package.json, as the napi CLI
// reads them.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseTriple } from '@napi-rs/cli'
import { ROOT } from './steps.mjs'

/**
 * Every platform as `{ target, name, package, file, os, cpu, libc }`: `name` is the CLI's word for
 * it, such as `linux-x64-gnu`; `libc` is `glibc`, `musl` or undefined.
 */
export const PLATFORMS = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
).napi.targets.map((target) => {
  const { platformArchABI: name, platform, arch, abi } = parseTriple(target)
  const libc = platform === 'linux' ? { gnu: 'glibc', musl: 'musl' }[abi] : undefined
  const own = { package: `mintid-${name}`, file: `mintid.${name}.node` }
  return { target, name, ...own, os: platform, cpu: arch, libc }
})

/** The platform that this machine is; undefined where no package is published for it. */
export const HOST = PLATFORMS.find(({ os, cpu, libc }) => {
  const { glibcVersionRuntime } = process.report.getReport().header
  const own = glibcVersionRuntime === undefined ? 'musl' : 'glibc'
  return os === process.platform && cpu === process.arch && (libc ?? own) === own
})
