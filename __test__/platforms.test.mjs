// The platforms of the package, and what may be published for each.

import assert from 'node:assert/strict'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parseTriple } from '@napi-rs/cli'
import { wayOf } from '../scripts/cross/ways.mjs'
import { binaryComplaints, readBinary } from '../scripts/pack/binary.mjs'
import { platformComplaints } from '../scripts/pack/gates.mjs'
import { HOST, PLATFORMS } from '../scripts/platforms.mjs'
import { folderOf } from './support/folder.mjs'

const platform = (wanted) => PLATFORMS.find(({ name }) => name === wanted)
const ELF = {
  format: 'ELF',
  cpu: 'x64',
  needs: ['libc.so.6', 'ld-linux-x86-64.so.2'],
  glibc: '2.17',
}
const MUSL = { format: 'ELF', cpu: 'x64', needs: ['libc.so'], glibc: undefined }

/** The addon that the tests run on, as this machine's own tools built it. */
const BUILT = fileURLToPath(new URL(`../${HOST?.file}`, import.meta.url))
const onGlibc = { skip: HOST?.libc === 'glibc' ? false : 'only on Linux with glibc' }

test('platforms are called what the napi CLI calls them', () => {
  for (const { target, name, os, cpu } of PLATFORMS) {
    const { platformArchABI, platform, arch } = parseTriple(target)
    assert.deepEqual([name, os, cpu], [platformArchABI, platform, arch])
  }
  assert.equal(new Set(PLATFORMS.map(({ name }) => name)).size, 8)
})

test('every platform can be built somewhere, and Linux builds the four of Linux', () => {
  for (const each of PLATFORMS) {
    const kinds = ['linux', 'darwin', 'win32'].map((host) => wayOf(each, host).kind)
    const due = each.os === 'linux' ? 'zig' : 'native'
    assert.equal(kinds.filter((kind) => kind === due).length, 1, each.name)
  }
  const zig = PLATFORMS.map((each) => wayOf(each, 'linux').zigTarget).filter(Boolean)
  assert.deepEqual(zig.sort(), [
    'aarch64-unknown-linux-gnu.2.17',
    'aarch64-unknown-linux-musl',
    'x86_64-unknown-linux-gnu.2.17',
    'x86_64-unknown-linux-musl',
  ])
})

for (const [what, name, binary, due] of [
  ['glibc 2.17', 'linux-x64-gnu', ELF, []],
  ['musl alone', 'linux-x64-musl', MUSL, []],
  [
    'a newer glibc',
    'linux-x64-gnu',
    { ...ELF, glibc: '2.34' },
    ['it needs GLIBC_2.34, and not at most GLIBC_2.17'],
  ],
  [
    'a glibc build under a musl name',
    'linux-x64-musl',
    ELF,
    ['it is made for glibc: libc.so.6, ld-linux-x86-64.so.2, 2.17, and not musl'],
  ],
  [
    'a musl build under a gnu name',
    'linux-x64-gnu',
    MUSL,
    ['it asks for no glibc, and not made for it'],
  ],
  ['another processor', 'linux-arm64-musl', MUSL, ['its processor is x64, and not arm64']],
  ['another system', 'darwin-x64', MUSL, ['its format is ELF, and not Mach-O']],
]) {
  test(`${what} as ${name}: ${due.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(binaryComplaints(platform(name), binary), due)
  })
}

test('versions of glibc are compared as numbers', () => {
  const complaints = (glibc) => binaryComplaints(platform('linux-x64-gnu'), { ...ELF, glibc })
  for (const taken of ['2.2.5', '2.9', '2.14', '2.17']) assert.deepEqual(complaints(taken), [])
  for (const refused of ['2.17.1', '2.18', '2.100', '3.0'])
    assert.equal(complaints(refused).length, 1)
})

test('a build by the tools of this machine may not be published', onGlibc, async () => {
  const binary = await readBinary(BUILT)
  assert.equal(binary.format, 'ELF')
  assert.equal(binary.cpu, process.arch)
  assert.ok(binary.needs.includes('libc.so.6'))
  const [complaint] = binaryComplaints(HOST, binary)
  assert.match(complaint, /^it needs GLIBC_2\.\d+, and not at most GLIBC_2\.17$/)
})

test('a glibc build that is called musl is found out by its content', onGlibc, async (t) => {
  const file = join(folderOf(t), 'mintid.linux-x64-musl.node')
  copyFileSync(BUILT, file)
  const musl = PLATFORMS.find(({ libc, cpu }) => libc === 'musl' && cpu === process.arch)
  const [complaint] = binaryComplaints(musl, await readBinary(file))
  assert.match(complaint, /^it is made for glibc: .*libc\.so\.6/)
})

for (const [what, head, due] of [
  ['Mach-O for arm64', 'cffaedfe0c000001', { format: 'Mach-O', cpu: 'arm64' }],
  ['Mach-O for x64', 'cffaedfe07000001', { format: 'Mach-O', cpu: 'x64' }],
  ['a text', '6e6f742061206c696272617279', { format: 'unknown', cpu: 'unknown' }],
  ['an empty file', '', { format: 'unknown', cpu: 'unknown' }],
  [
    'PE for arm64',
    `4d5a${'00'.repeat(0x3a)}40000000${'50450000'}64aa`,
    { format: 'PE', cpu: 'arm64' },
  ],
]) {
  test(`${what} is recognised`, async (t) => {
    const file = join(folderOf(t), 'addon.node')
    writeFileSync(file, Buffer.from(head, 'hex'))
    const { format, cpu } = await readBinary(file)
    assert.deepEqual({ format, cpu }, due)
  })
}

const HELD = ['LICENSE-APACHE', 'LICENSE-MIT', 'README.md', 'THIRD-PARTY-LICENSES', 'package.json']

function packed(wanted, { manifest, files, ...rest } = {}) {
  const own = platform(wanted)
  return {
    ...own,
    manifest: {
      name: own.package,
      os: [own.os],
      cpu: [own.cpu],
      libc: own.libc && [own.libc],
      main: own.file,
      ...manifest,
    },
    files: files ?? [own.file, ...HELD],
    size: 3_500_000,
    unpackedSize: 8_000_000,
    ...rest,
  }
}

test('a platform package as it should be is taken', () => {
  assert.deepEqual(platformComplaints(packed('linux-x64-gnu'), ELF), [])
  assert.deepEqual(platformComplaints(packed('linux-x64-musl'), MUSL), [])
})

for (const [what, wrong, due] of [
  ['without its libc', { manifest: { libc: undefined } }, /its libc is undefined, and not glibc/],
  ['of another processor', { manifest: { cpu: ['arm64'] } }, /its cpu is arm64, and not x64/],
  [
    "with another's addon",
    { files: ['mintid.linux-x64-gnu.node', 'mintid.linux-x64-musl.node', ...HELD] },
    /must not hold mintid\.linux-x64-musl\.node/,
  ],
  [
    'with sources',
    { files: ['mintid.linux-x64-gnu.node', 'src/lib.rs', ...HELD] },
    /must not hold src/,
  ],
  ['without its addon', { files: HELD }, /it lacks mintid\.linux-x64-gnu\.node/],
  ['that is too big', { size: 4_000_001 }, /4000001 bytes packed, and at most 4000000/],
  ['that unpacks too big', { unpackedSize: 9_000_001 }, /9000001 bytes unpacked/],
]) {
  test(`a platform package ${what} is refused`, () => {
    const complaints = platformComplaints(packed('linux-x64-gnu', wrong), ELF)
    assert.equal(complaints.length, 1)
    assert.match(complaints[0], due)
  })
}
