// Which addon a process needs: its operating system, its processor, and on Linux the C library that
// Node itself was built for.

import { familySync, MUSL, versionSync } from 'detect-libc'

/** The platform of this process, named as the napi CLI names its builds: `linux-x64-gnu`. */
export function thisPlatform(): string {
  const machine = `${process.platform}-${process.arch}`
  if (process.platform === 'win32') return `${machine}-msvc`
  if (process.platform !== 'linux') return machine
  return `${machine}-${isMusl() ? 'musl' : 'gnu'}`
}

/** The same for a reader: `linux-x64, glibc 2.36`. Finding the version may start a command. */
export function describePlatform(): string {
  const machine = `${process.platform}-${process.arch}`
  if (process.platform !== 'linux') return machine
  return [`${machine},`, isMusl() ? 'musl' : 'glibc', versionSync()].filter(Boolean).join(' ')
}

/** Where nothing tells, it is glibc, for which Node is built everywhere but on Alpine. */
const isMusl = (): boolean => familySync() === MUSL
