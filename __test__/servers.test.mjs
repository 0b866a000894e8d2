// The servers that other tests are run on: that they start, break and come back as they are told.

import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test as anyTest } from 'node:test'
import { connect } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { NAMES, variableOf } from '../scripts/servers/set.mjs'
import { TLS_FILES } from '../scripts/servers/tls.mjs'
import { until as eventually } from '../scripts/servers/until.mjs'
import { folderOf } from './support/folder.mjs'
import { until } from './support/retry.mjs'
import { cluster, freshKey, sentinel, server, testOn, withoutServers } from './support/servers.mjs'

const KINDS = { redis7: /^7\.0\./, redis8: /^8\.2\./, valkey9: /^9\.1\./, kvrocks: /^7\.0\./ }
const AOF = ['--appendonly', 'yes', '--appendfsync', 'always']
const LONGEST_MS = 30_000
const SCRIPT = fileURLToPath(new URL('../scripts/servers.mjs', import.meta.url))
const REDIS = new URL('../scripts/servers/redis.mjs', import.meta.url)

const test = (name, body) => anyTest(name, { skip: withoutServers }, body)

for (const [kind, version] of Object.entries(KINDS)) {
  test(`${kind} starts, answers, and leaves nothing behind`, async (t) => {
    const own = await server(t, { kind })
    const { redis_version, valkey_version = redis_version } = await own.info('server')
    assert.match(valkey_version, version)
    assert.equal(await own.call('HINCRBY', 'kvid', 'orders', '9007199254740993'), 9007199254740993n)
    assert.equal(await own.call('HGET', 'kvid', 'absent'), null)
    assert.deepEqual(await own.call('HGETALL', 'kvid'), ['orders', '9007199254740993'])
    await assert.rejects(own.call('INCR', 'kvid'), /^Error: WRONGTYPE/)
    await own.stop()
    assert.equal(isAlive(own.pid), false)
    assert.equal(existsSync(own.folder), false)
  })
}

test('the profile of Kvrocks has no identity but its process', async (t) => {
  const own = await server(t, { kind: 'kvrocks' })
  const { run_id, process_id } = await own.info('server')
  assert.deepEqual([run_id, process_id], [undefined, String(own.pid)])
  assert.equal((await own.info('replication')).master_replid, undefined)
  const refused = [['FUNCTION', 'LIST'], ['FAILOVER'], ['WAITAOF', 1, 0, 0]]
  for (const command of [...refused, ['HEXPIRE', 'kvid', 1, 'FIELDS', 1, 'orders']]) {
    await assert.rejects(own.call(...command), /unknown command/)
  }
})

test('what was written outlives a kill -9 where it is kept, and nowhere else', async (t) => {
  const kept = await server(t, { args: AOF })
  const lost = await server(t)
  for (const own of [kept, lost]) {
    const { port, folder } = own
    await own.call('HSET', 'kvid', 'orders', 100)
    await own.kill()
    assert.equal(isAlive(own.pid), false)
    await assert.rejects(own.call('PING'), /ECONNREFUSED/)
    await own.restart()
    assert.deepEqual([own.port, own.folder], [port, folder])
  }
  assert.equal(await kept.call('HGET', 'kvid', 'orders'), '100')
  assert.equal(await lost.call('HGET', 'kvid', 'orders'), null)
})

test('a restart may change what the server is told', async (t) => {
  const own = await server(t, { args: AOF })
  await own.restart({ args: [...AOF, '--maxmemory', '12345678'] })
  assert.deepEqual(await own.call('CONFIG', 'GET', 'maxmemory'), ['maxmemory', '12345678'])
})

test('a frozen server answers once it is thawed', async (t) => {
  const own = await server(t)
  own.freeze()
  let answer
  const asked = own.call('PING').then((text) => {
    answer = text
  })
  await until(() => stateOf(own.pid) === 'T')
  assert.equal(answer, undefined)
  own.thaw()
  await asked
  assert.equal(answer, 'PONG')
})

test('a frozen server can be stopped', async (t) => {
  const own = await server(t)
  own.freeze()
  await own.stop()
  assert.equal(isAlive(own.pid), false)
})

test('a server that does not start says why', async (t) => {
  const own = await server(t)
  for (const [options, why] of [
    [{ args: ['--bogus', '1'] }, /valkey9 on port \d+ did not start: exit 1\n[\s\S]*bogus/],
    [{ port: own.port }, new RegExp(`port ${own.port} did not start: exit 1`)],
    [{ kind: 'redis6' }, /kind is 'redis6': one of redis7, redis8, valkey9, kvrocks is due/],
  ]) {
    await assert.rejects(server(t, options), why)
  }
})

test('a server ends with the process that started it, even by kill -9', async (t) => {
  const source = `
    const { startRedis } = await import('${REDIS}')
    console.log((await startRedis()).pid)`
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    // It cannot remove the server's folder any more.
    env: { ...process.env, TMPDIR: folderOf(t) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(parent.stdout.setEncoding('utf8'), 'data')
  const pid = Number(line)
  assert.ok(isAlive(pid))
  parent.kill('SIGKILL')
  await until(() => !isAlive(pid))
})

test('a cluster spreads keys over its nodes, and survives the loss of one with its replica', async (t) => {
  const own = await cluster(t, { replicas: 1 })
  const { nodes, url } = own
  assert.equal(nodes.length, 6)
  for (const { port } of nodes) assert.ok(url.includes(`127.0.0.1:${port}`), url)
  const first = await own.owner('kvid')
  await first.call('HSET', 'kvid', 'orders', 1)
  const stranger = nodes.find((node) => node !== first)
  await assert.rejects(stranger.call('HGET', 'kvid', 'orders'), /^Error: MOVED 12533 127\.0\.0\.1:/)
  assert.equal(await first.call('WAIT', 1, 5_000), 1n)
  await first.kill()
  await eventually('the replica has taken over', LONGEST_MS, async () => {
    const next = await own.owner('kvid')
    return next !== first && (await next.call('HGET', 'kvid', 'orders')) === '1'
  })
})

test('Sentinels replace a master that is gone', async (t) => {
  const own = await sentinel(t)
  assert.equal(await own.current(), own.master)
  await own.master.call('HSET', 'kvid', 'orders', 1)
  assert.equal(await own.master.call('WAIT', 1, 5_000), 1n)
  await own.master.kill()
  await eventually(
    'the replica has taken over',
    LONGEST_MS,
    async () => (await own.current()) === own.replica,
  )
  await eventually(
    'the replica has taken over',
    LONGEST_MS,
    async () => (await own.replica.info('replication')).role === 'master',
  )
  assert.equal(await own.replica.call('HGET', 'kvid', 'orders'), '1')
})

test('a server with TLS is trusted through the CA, and takes no other words', async (t) => {
  const own = await server(t, { kind: 'redis7', tls: true })
  assert.match(own.url, /^rediss:/)
  const ca = readFileSync(TLS_FILES.ca)
  assert.equal(await pinged({ port: own.port, host: '127.0.0.1', ca }), '+PONG\r\n')
  assert.equal(await pinged({ port: own.port, host: 'localhost', ca }), '+PONG\r\n')
  await assert.rejects(pinged({ port: own.port, host: '127.0.0.1' }), /certificate/)
})

test('a server may demand a certificate of its clients', async (t) => {
  const own = await server(t, { kind: 'redis7', tls: { clients: true } })
  const place = { port: own.port, host: '127.0.0.1', ca: readFileSync(TLS_FILES.ca) }
  await assert.rejects(pinged(place), /certificate required|ECONNRESET|closed/)
  const { cert, key } = TLS_FILES.client
  const known = { cert: readFileSync(cert), key: readFileSync(key) }
  assert.equal(await pinged({ ...place, ...known }), '+PONG\r\n')
})

test('a server may demand a password', async (t) => {
  const own = await server(t, { password: 'a:b@c' })
  assert.match(own.url, /^redis:\/\/:a%3Ab%40c@127/)
  assert.equal(await own.call('PING'), 'PONG')
})

for (const name of NAMES.map((each) => each.toUpperCase())) {
  testOn(name, 'the shared server takes keys', async (_, url) => {
    assert.match(url, /^redis(-cluster|-sentinel)?:\/\/127\.0\.0\.1:\d+/)
    assert.equal(url, process.env[variableOf(name)])
    assert.notEqual(freshKey(), freshKey())
  })
}

for (const [args, told] of [
  [[], 'a command is missing (there are: start stop status)'],
  [['bogus'], 'no such command: bogus'],
  [['start', 'redis6'], 'no such server: redis6 (there are: redis7 redis8 valkey9'],
  [['start', '--bogus'], '--bogus'],
  [['status', '--json', '--env'], '--json and --env'],
  [['stop', '--json'], '--json goes with start and status'],
]) {
  test(`${['servers', ...args].join(' ')} is refused by name`, async () => {
    const { code, stdout, stderr } = await command(args)
    assert.equal(code, 2)
    assert.equal(stdout, '')
    assert.ok(stderr.includes(told), stderr)
  })
}

test('servers live on until they are stopped, each by its pid', async (t) => {
  const file = join(folderOf(t), 'running.json')
  const servers = (...words) => command([...words, '--file', file])
  t.after(() => servers('stop'))
  const started = await servers('start', 'valkey9', 'kvrocks')
  assert.equal(started.code, 0, started.stderr)
  assert.match(started.stdout, /^valkey9 {3}redis:\S+\nkvrocks {3}redis:\S+\n$/)
  assert.deepEqual(await servers('status'), { ...started, stderr: '' })
  assert.equal((await servers('start', 'valkey9', 'kvrocks')).stdout, started.stdout)

  const { valkey9, kvrocks } = JSON.parse(readFileSync(file, 'utf8'))
  const { stdout } = await servers('status', '--json', 'valkey9')
  assert.deepEqual(JSON.parse(stdout), { valkey9: valkey9.url })
  assert.match((await servers('status', '--env')).stdout, /^export MINTID_TEST_VALKEY9_URL='redis:/)

  const [{ pid }] = valkey9.processes
  process.kill(pid, 'SIGKILL')
  await until(() => !isAlive(pid))
  const half = await servers('status')
  assert.equal(half.code, 1)
  assert.match(half.stdout, /^kvrocks .*\n$/)
  assert.match(half.stderr, /^valkey9 does not run any more/)

  assert.equal((await servers('stop')).code, 0)
  assert.equal(isAlive(kvrocks.processes[0].pid), false)
  for (const { folder } of [valkey9, kvrocks]) assert.equal(existsSync(folder), false)
  assert.match((await servers('status')).stderr, /no server was started/)
})

test('a pid that has become another process is not ended', async (t) => {
  const file = join(folderOf(t), 'running.json')
  const other = { pid: process.pid, folder: '/tmp/mintid-servers-gone' }
  const state = { redis7: { url: 'redis://127.0.0.1:1', folder: other.folder, processes: [other] } }
  writeFileSync(file, JSON.stringify(state))
  assert.equal((await command(['stop', '--file', file])).code, 0)
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), {})
})

function command(args) {
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, ...args], (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    )
  })
}

/** What a server with TLS answers to a ping, without a client of ours in between. */
async function pinged(options) {
  const socket = connect(options)
  try {
    await once(socket, 'secureConnect')
    socket.write('PING\r\n')
    const answer = once(socket.setEncoding('utf8'), 'data')
    const closed = once(socket, 'close').then(() => {
      throw new Error('closed')
    })
    const [text] = await Promise.race([answer, closed])
    return text
  } finally {
    socket.destroy()
  }
}

/** The state of a process, as the kernel names it; undefined once it is gone. */
function stateOf(pid) {
  try {
    return /\) (\w)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))[1]
  } catch {
    return undefined
  }
}

/** One that is gone may wait to be noticed by whoever adopted it. */
const isAlive = (pid) => ![undefined, 'Z', 'X'].includes(stateOf(pid))
