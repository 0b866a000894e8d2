// What an addon is made for, read from the file itself: its format, processor and C library. What it
// was meant to be tells nothing.

import { closeSync, openSync, readSync } from 'node:fs'
import { captured } from './captured.mjs'

/** The highest symbol version that a glibc build may ask for. */
const GLIBC_MOST = '2.17'

const FORMATS = { linux: 'ELF', darwin: 'Mach-O', win32: 'PE' }
const HEAD_BYTES = 4096

const ELF_MACHINES = { 62: 'x64', 183: 'arm64' }
const MACH_MACHINES = { 16777223: 'x64', 16777228: 'arm64' }
const PE_MACHINES = { 34404: 'x64', 43620: 'arm64' }

/**
 * Reads an addon.
 *
 * @returns `{ format, cpu, needs, glibc }`: the last two of ELF files alone, as the libraries that
 * are needed and the highest version of glibc's symbols, undefined where there is none
 */
export async function readBinary(file) {
  const head = headOf(file)
  const { format, cpu } = kindOf(head)
  if (format !== 'ELF') return { format, cpu, needs: [], glibc: undefined }
  const listing = await captured('readelf', ['--wide', '--dynamic', '--version-info', file])
  const needs = [...listing.matchAll(/\(NEEDED\).*\[(.+)\]/g)].map(([, name]) => name)
  const versions = [...listing.matchAll(/Name: GLIBC_(\d+(?:\.\d+)*)/g)].map(
    ([, version]) => version,
  )
  return { format, cpu, needs, glibc: versions.sort(byVersion).at(-1) }
}

/** What is wrong with an addon as that of a platform; nothing, if it may be published. */
export function binaryComplaints({ os, cpu, libc }, binary) {
  const complaints = []
  const complain = (found, due) => complaints.push(`${found}, and not ${due}`)
  if (binary.format !== FORMATS[os]) complain(`its format is ${binary.format}`, FORMATS[os])
  if (binary.cpu !== cpu) complain(`its processor is ${binary.cpu}`, cpu)
  const ofGlibc = binary.needs.filter((name) => /^(ld-linux|libc\.so\.6)/.test(name))
  if (libc === 'musl' && (ofGlibc.length > 0 || binary.glibc !== undefined)) {
    complain(
      `it is made for glibc: ${[...ofGlibc, binary.glibc].filter(Boolean).join(', ')}`,
      'musl',
    )
  }
  if (libc !== 'glibc') return complaints
  if (binary.glibc === undefined) complain('it asks for no glibc', 'made for it')
  else if (byVersion(binary.glibc, GLIBC_MOST) > 0) {
    complain(`it needs GLIBC_${binary.glibc}`, `at most GLIBC_${GLIBC_MOST}`)
  }
  return complaints
}

/** The C library that an addon was found to need. */
export function libcOf({ libc }, { glibc }) {
  if (glibc !== undefined) return `glibc ${glibc}`
  return libc === 'musl' ? 'musl' : ''
}

function headOf(file) {
  const handle = openSync(file, 'r')
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    readSync(handle, head, 0, HEAD_BYTES, 0)
    return head
  } finally {
    closeSync(handle)
  }
}

/** By the first bytes of the three formats, all of them little-endian here. */
function kindOf(head) {
  if (head.readUInt32BE(0) === 0x7f454c46) {
    return { format: 'ELF', cpu: named(ELF_MACHINES, head.readUInt16LE(18)) }
  }
  if (head.readUInt32LE(0) === 0xfeedfacf) {
    return { format: 'Mach-O', cpu: named(MACH_MACHINES, head.readUInt32LE(4)) }
  }
  const at = head.readUInt32LE(0x3c)
  if (
    head.toString('latin1', 0, 2) === 'MZ' &&
    at + 6 <= HEAD_BYTES &&
    head.toString('latin1', at, at + 4) === 'PE\0\0'
  ) {
    return { format: 'PE', cpu: named(PE_MACHINES, head.readUInt16LE(at + 4)) }
  }
  return { format: 'unknown', cpu: 'unknown' }
}

const named = (machines, number) => machines[number] ?? `0x${number.toString(16)}`

function byVersion(one, other) {
  const [a, b] = [one, other].map((text) => text.split('.').map(Number))
  const at = a.findIndex((number, i) => number !== (b[i] ?? 0))
  return at < 0 ? a.length - b.length : a[at] - (b[at] ?? 0)
}
