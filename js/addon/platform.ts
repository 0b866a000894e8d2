// Which addon a process needs: its operating system, its processor, and on Linux the C library that
// Node itself was built for. The package `detect-libc` would tell as well, and loads what starts
// commands: at every start of a program that costs more than to open the addon.

import { closeSync, openSync, readSync } from 'node:fs'

const OWN_PROGRAM = '/proc/self/exe'
/** The name of the loader comes right after the headers of an ELF file. */
const HEAD_BYTES = 4096

/** Of a report that has no public type, what is read here. */
interface Report {
  header: { glibcVersionRuntime?: string }
}

/** The platform of this process, named as the napi CLI names its builds: `linux-x64-gnu`. */
export function thisPlatform(): string {
  if (process.platform === 'win32') return `${machine()}-msvc`
  if (process.platform !== 'linux') return machine()
  return `${machine()}-${isMusl() ? 'musl' : 'gnu'}`
}

/** The same for a reader: `linux-x64, glibc 2.36`. */
export function describePlatform(): string {
  if (process.platform !== 'linux') return machine()
  return `${machine()}, ${isMusl() ? 'musl' : `glibc ${glibcVersion() ?? ''}`.trim()}`
}

const machine = () => `${process.platform}-${process.arch}`

function isMusl(): boolean {
  const head = headOf(OWN_PROGRAM)
  if (head?.includes('ld-musl-')) return true
  if (head?.includes('ld-linux')) return false
  return glibcVersion() === undefined
}

function headOf(file: string): Buffer | undefined {
  try {
    const handle = openSync(file, 'r')
    try {
      const head = Buffer.alloc(HEAD_BYTES)
      return head.subarray(0, readSync(handle, head, 0, HEAD_BYTES, 0))
    } finally {
      closeSync(handle)
    }
  } catch {
    return undefined
  }
}

/** Undefined on musl. Writing the report takes milliseconds: it is asked only when need be. */
function glibcVersion(): string | undefined {
  return (process.report?.getReport() as Report | undefined)?.header.glibcVersionRuntime
}
