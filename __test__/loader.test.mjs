// The addon that is not there, or not the right one: what a user is told on each platform.

import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { HOST, PLATFORMS } from '../scripts/platforms.mjs'
import { installed } from './support/installed.mjs'

const { version, engines } = createRequire(import.meta.url)('mintid/package.json')
const CODE = 'ERR_MINTID_ADDON_UNAVAILABLE'
/** `program` is the loader that Node's own file names. */
const GLIBC = { platform: 'linux', libc: 'glibc', glibc: '2.36', program: 'ld-linux-x86-64.so.2' }
const MUSL = { platform: 'linux', libc: 'musl', program: 'ld-musl-x86_64.so.1' }

/** Machines without the addon: those it is made for, and those it is not. */
const HOSTS = [
  { ...GLIBC, arch: 'x64' },
  { ...MUSL, arch: 'arm64' },
  { platform: 'darwin', arch: 'x64' },
  { platform: 'darwin', arch: 'arm64' },
  { platform: 'win32', arch: 'arm64' },
  { ...GLIBC, arch: 'riscv64' },
  { platform: 'freebsd', arch: 'x64' },
  { platform: 'win32', arch: 'ia32' },
]

const MESSAGES = new URL('loader-messages.txt', import.meta.url)

/** Messages are long, and read best as a whole: `WRITE_MESSAGES=1` writes them anew. */
test('the messages for eight machines are those of loader-messages.txt', (t) => {
  const { load } = installed(t)
  const told = HOSTS.map((host) => load(host).message).join('\n\n')
  const text = `${told.replaceAll(version, 'VERSION')}\n`
  if (process.env.WRITE_MESSAGES) writeFileSync(MESSAGES, text)
  assert.equal(text, readFileSync(MESSAGES, 'utf8'))
})

for (const host of HOSTS) {
  const title = [host.platform, host.arch, host.libc].filter(Boolean).join(' ')
  test(`on ${title} the message names a package that is published, or says that there is none`, (t) => {
    const { message, code, cause } = installed(t).load(host)
    assert.equal(code, CODE)
    const own = PLATFORMS.find(
      ({ os, cpu, libc }) => os === host.platform && cpu === host.arch && libc === host.libc,
    )
    const named = [...message.matchAll(/mintid-[a-z0-9]+-[a-z0-9-]+/g)].map(([name]) => name)
    if (own === undefined) {
      assert.match(message, /is not built for/)
      assert.deepEqual(named, [])
    } else {
      assert.deepEqual([...new Set(named)], [own.package])
      assert.match(message, new RegExp(`wanted +${own.package} ${version}\n`))
      assert.match(cause, /Cannot find module/)
    }
    assert.equal(message.match(/^ {2}\d\. /gm).length, 3)
  })
}

test('each target of the package is loaded by its name, written out for bundlers', () => {
  const source = readFileSync(new URL('../js/addon/packages.ts', import.meta.url), 'utf8')
  const loaded = [...source.matchAll(/case '(.+)':\s*return \{ exports: require\('(.+)'\) \}/g)]
  assert.deepEqual(
    loaded.map(([, name, required]) => [name, required]),
    PLATFORMS.map((platform) => [platform.name, platform.package]).sort(),
  )
})

/** A package that says on loading that it was loaded; an addon would be opened at the same moment. */
const telling = (name, told = version) => ({
  version: told,
  main: 'addon.js',
  text: `console.error('loaded ${name}'); exports.VERSION = '${told}'; throw new Error('opened')`,
})

test('on musl the package for glibc is not tried, nor the other way round', (t) => {
  const names = ['mintid-linux-x64-gnu', 'mintid-linux-x64-musl']
  const packages = Object.fromEntries(names.map((name) => [name, telling(name)]))
  const { load } = installed(t, packages)
  for (const [host, name] of [
    [GLIBC, names[0]],
    [MUSL, names[1]],
  ]) {
    const { message, cause } = load({ ...host, arch: 'x64' })
    assert.equal(cause, 'opened')
    assert.match(message, new RegExp(`found +${name} ${version}\n`))
  }
})

test('where the program names no loader, the report of Node tells', (t) => {
  const { load } = installed(t)
  for (const [glibc, name] of [
    ['2.40', 'mintid-linux-x64-gnu'],
    [undefined, 'mintid-linux-x64-musl'],
  ]) {
    const host = { platform: 'linux', arch: 'x64', program: 'ld.so', glibc }
    assert.match(load(host).message, new RegExp(`wanted +${name} `))
  }
})

test('an addon that cannot be opened is named with its version and the reason', (t) => {
  const broken = { version: '0.0.9', main: HOST.file, text: 'not a library' }
  const { message, code, cause } = installed(t, { [HOST.package]: broken }).load()
  assert.equal(code, CODE)
  assert.match(message, /cannot be opened/)
  assert.match(message, new RegExp(`wanted +${HOST.package} ${version}\n`))
  assert.match(message, new RegExp(`found +${HOST.package} 0\\.0\\.9\n`))
  assert.match(message, /cause +.*(invalid ELF header|file too short|not a|dlopen|valid)/)
  assert.match(cause, new RegExp(HOST.file))
})

test('a package that lacks its file is not told as one that is missing', (t) => {
  const { message } = installed(t, { [HOST.package]: { version, main: HOST.file } }).load()
  assert.match(message, /cannot be opened/)
  assert.match(message, new RegExp(`found +${HOST.package} ${version}\n`))
  assert.match(message, new RegExp(`cause +Cannot find module .*${HOST.file}`))
})

test('the addon of another version is refused', (t) => {
  const other = { version: '0.0.9', main: 'addon.js', text: "exports.VERSION = '0.0.9'" }
  const { message, code } = installed(t, { [HOST.package]: other }).load()
  assert.equal(code, CODE)
  assert.match(message, new RegExp(`found +version 0\\.0\\.9, in ${HOST.package}\n`))
  const ancient = { ...other, text: '' }
  const told = installed(t, { [HOST.package]: ancient }).load()
  assert.match(told.message, /found +version unknown/)
})

test('a file that was chosen is used alone, and named when it cannot be', (t) => {
  const { folder, load } = installed(t, { [HOST.package]: telling(HOST.package) })
  const env = { NAPI_RS_NATIVE_LIBRARY_PATH: join(folder, 'absent.node') }
  const { message, cause } = load({}, env)
  assert.match(message, /found +NAPI_RS_NATIVE_LIBRARY_PATH=.*absent\.node\n/)
  assert.match(cause, /absent\.node/)
  const built = new URL(`../${HOST.file}`, import.meta.url).pathname
  assert.deepEqual(load({}, { NAPI_RS_NATIVE_LIBRARY_PATH: built }), { loaded: true })
})

for (const node of ['18.20.8', '20.18.3', '21.7.3', '22.11.0', '23.11.1']) {
  test(`Node ${node} is refused before the addon is opened`, (t) => {
    const { message, code, cause } = installed(t, {
      [HOST.package]: telling(HOST.package),
    }).load({ node })
    assert.equal(code, CODE)
    assert.equal(cause, undefined)
    assert.match(message, new RegExp(`does not run on Node.js ${node.replaceAll('.', '\\.')}\n`))
    assert.ok(message.includes(`Node.js ${engines.node}`))
  })
}

for (const node of ['20.19.0', '22.12.0', '24.0.0', '25.1.0', '26.10.0']) {
  test(`Node ${node} is taken`, (t) => {
    const { load } = installed(t, { [HOST.package]: telling(HOST.package) })
    assert.equal(load({ node }).cause, 'opened')
  })
}
