// `mintid doctor`: whether counters are safe in a store, and what to change.

import assert from 'node:assert/strict'
import { test as anyTest } from 'node:test'
import { connect } from 'mintid'
import { freePort } from '../scripts/servers/ports.mjs'
import { TLS_FILES } from '../scripts/servers/tls.mjs'
import { mintid } from './support/cli.mjs'
import { storeOf } from './support/folder.mjs'
import { sentinel, server, withoutServers } from './support/servers.mjs'

const AOF = ['--appendonly', 'yes']
const NOTHING_KEPT = /neither persistence nor a replica/

const test = (name, body) => anyTest(name, { skip: withoutServers }, body)

/** What the doctor says of a store, and its exit code. */
async function examined(url, ...words) {
  const { code, stdout, stderr } = await mintid(['doctor', '--json', ...words], { url })
  assert.equal(stderr, '')
  return { code, ...JSON.parse(stdout) }
}

/** The only finding that says this. */
function findingOf({ findings }, pattern) {
  const found = findings.filter(({ what }) => pattern.test(what))
  assert.equal(found.length, 1, `${pattern} in ${JSON.stringify(findings, null, 2)}`)
  return found[0]
}

test('a server that keeps nothing is a danger', async (t) => {
  const { url } = await server(t)
  const told = await examined(url)
  assert.equal(told.code, 1)
  assert.equal(told.level, 'danger')
  const { level, advice } = findingOf(told, NOTHING_KEPT)
  assert.equal(level, 'danger')
  assert.match(advice, /appendonly yes/)
  assert.equal(told.facts.persistence, 'none')
})

for (const [kind, product] of [
  ['redis7', /^Redis 7\.0\./],
  ['redis8', /^Redis 8\.2\./],
  ['valkey9', /^Valkey 9\.1\./],
  ['kvrocks', /^Redis 7\.0\./],
]) {
  test(`an append-only file is well, and leaves advice, on ${kind}`, async (t) => {
    const { url } = await server(t, { kind, args: AOF })
    const told = await examined(url)
    assert.equal(told.code, 0)
    assert.equal(told.level, 'advice')
    assert.equal(told.store, url)
    assert.match(told.facts.server, product)
    assert.equal(told.facts.role, 'master')
    assert.match(told.facts.persistence, /append-only file/)
    assert.match(told.facts['round trip'], /^\d+ µs$/)
    assert.match(told.facts['clock difference'], /^-?\d+ ms$/)
    assert.equal(findingOf(told, /restarts and promotions are noticed/).level, 'ok')
    assert.match(findingOf(told, /unknown generator is created/).advice, /allowCreate: false/)
    assert.equal((await examined(url, '--strict')).code, 1)
  })
}

test('where all is well there is nothing to change, even for the strict', async (t) => {
  const { url } = await server(t, { args: [...AOF, '--appendfsync', 'always'] })
  const words = ['--strict', '--allow-create', 'false', '--durability', 'disk']
  const { code, level, findings } = await examined(url, ...words)
  assert.deepEqual({ code, level }, { code: 0, level: 'ok' })
  assert.ok(findings.length > 0)
  for (const each of findings) assert.deepEqual(Object.keys(each), ['level', 'what'])
})

test('a server that evicts counters is a danger, and is looked at all the same', async (t) => {
  const evicting = ['--maxmemory', '50mb', '--maxmemory-policy', 'allkeys-lru']
  const { url } = await server(t, { args: [...AOF, ...evicting] })
  const told = await examined(url)
  assert.equal(told.code, 1)
  assert.equal(told.facts['eviction policy'], 'allkeys-lru')
  const { level, advice } = findingOf(told, /evicts any key/)
  assert.equal(level, 'danger')
  assert.match(advice, /noeviction/)
})

test('a replica is a danger, and its master has one', async (t) => {
  const { master, replica } = await sentinel(t)
  const told = await examined(replica.url)
  assert.equal(told.code, 1)
  assert.equal(findingOf(told, /it is a slave/).level, 'danger')
  const { facts } = await examined(master.url)
  assert.equal(facts.replicas, '1')
})

test('a master is found through its Sentinels', async (t) => {
  const { url } = await sentinel(t)
  const { facts, code } = await examined(url)
  assert.equal(facts.role, 'master')
  assert.equal(code, 0)
})

test('what options demand and the server lacks is told after the look', async (t) => {
  const { url } = await server(t, { kind: 'redis7', args: AOF })
  const { code, stdout, stderr } = await mintid(['doctor', '--durability', 'disk'], { url })
  assert.equal(code, 1)
  assert.match(stdout, /^ok +it is a master$/m)
  assert.match(stderr, /^mintid: durability = disk: .*WAITAOF.*\(ERR_MINTID_CONFIG_INVALID\)\n$/)
  const short = await mintid(['doctor', '--durability', 'replicas:2', '--json'], { url })
  assert.equal(short.code, 1)
  assert.match(JSON.parse(short.stderr).error.message, /2 replicas, and the server has 0/)
})

test('a hash that is given by name is the one that is looked at', async (t) => {
  const { url } = await server(t, { args: AOF })
  const ids = await connect(url, { key: 'numbers' })
  await ids.segment('orders').next()
  await ids.close()
  assert.equal((await examined(url)).facts.fields, '0')
  assert.notEqual((await examined(url, '--key', 'numbers')).facts.fields, '0')
  const { stdout } = await mintid(['inspect', '--key', 'numbers', '--json'], { url })
  assert.equal(JSON.parse(stdout).counters[0].key, 'orders')
})

test('a report for people has the worst first, and what to change below it', async (t) => {
  const { url } = await server(t)
  const { code, stdout, stderr } = await mintid(['doctor', '--store', url])
  assert.equal(code, 1)
  assert.equal(stderr, '')
  const [head, facts, findings] = stdout.split('\n\n')
  assert.equal(head, url)
  assert.match(facts, /^ {2}role {2,}master$/m)
  const lines = findings.trimEnd().split('\n')
  assert.match(lines[0], /^danger {2}it has neither persistence nor a replica/)
  assert.match(lines[1], /^ {8}→ set appendonly yes/)
  const levels = lines.map((line) => /^\w+/.exec(line)?.[0]).filter(Boolean)
  const order = ['danger', 'advice', 'ok']
  assert.deepEqual(
    levels,
    levels.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)),
  )
  assert.deepEqual(new Set(levels), new Set(order))
})

test('a wrong password is told without it', async (t) => {
  const { url } = await server(t, { password: 'a:b@c' })
  const wrong = url.replace(/:[^:@]*@/, ':hunter2@')
  const { code, stdout, stderr } = await mintid(['doctor'], { url: wrong })
  assert.equal(code, 1)
  assert.equal(stdout, '')
  assert.match(stderr, /WRONGPASS.*password.*\(ERR_MINTID_STORE_ERROR\)/)
  assert.ok(!stderr.includes('hunter2'), stderr)
  const none = await mintid(['doctor'], { url: url.replace(/:[^:@]*@/, '') })
  assert.equal(none.code, 1)
  assert.match(none.stderr, /NOAUTH/)
})

test('where nothing listens that is told', async () => {
  const url = `redis://127.0.0.1:${await freePort()}`
  const { code, stdout, stderr } = await mintid(['doctor', '--json'], { url })
  assert.equal(code, 1)
  assert.equal(stdout, '')
  const { error } = JSON.parse(stderr)
  assert.equal(error.code, 'ERR_MINTID_STORE_UNAVAILABLE')
  assert.ok(error.message.includes(url), error.message)
})

test('a server behind TLS is reached by the files that are named', async (t) => {
  const { url } = await server(t, { kind: 'redis7', args: AOF, tls: { clients: true } })
  const { ca, client } = TLS_FILES
  const words = ['--tls-ca', ca, '--tls-cert', client.cert, '--tls-key', client.key]
  assert.equal((await examined(url, ...words)).code, 0)
  const { code, stdout } = await mintid(['next', 'orders', ...words], { url })
  assert.deepEqual({ code, stdout }, { code: 0, stdout: '1\n' })
  const unknown = await mintid(['doctor'], { url })
  assert.equal(unknown.code, 1)
  assert.match(unknown.stderr, /ERR_MINTID_STORE_UNAVAILABLE/)
})

test('a counter that is unknown is not created where that is forbidden', async (t) => {
  const { url } = await server(t, { args: AOF })
  const { code, stderr } = await mintid(['next', 'orders', '--allow-create', 'false'], { url })
  assert.equal(code, 1)
  assert.match(stderr, /ERR_MINTID_RANGE_MISSING/)
  assert.equal((await mintid(['next', 'orders'], { url })).stdout, '1\n')
  const again = await mintid(['next', 'orders', '--allow-create', 'false'], { url })
  assert.deepEqual(again, { code: 0, stdout: '2\n', stderr: '' })
})

anyTest('a store on this machine is looked at too', async (t) => {
  const { url } = storeOf(t)
  const told = await examined(url)
  assert.equal(told.code, 0)
  assert.equal(told.store, url)
  assert.equal(told.facts.file, url.replace('sqlite:', ''))
  assert.equal(findingOf(told, /unknown generator is created/).level, 'advice')
  assert.equal((await examined(url, '--strict')).code, 1)
  assert.equal((await examined(url, '--strict', '--allow-create', 'false')).code, 0)
  const missing = await mintid(['doctor'], { url: url.replace('ids.db', 'no/ids.db') })
  assert.equal(missing.code, 1)
  assert.match(missing.stderr, /folder .* does not exist/)
})

anyTest('memory is no place for counters', async () => {
  const told = await examined('memory:')
  assert.equal(told.code, 1)
  assert.equal(findingOf(told, /forgotten when the process ends/).level, 'danger')
})

anyTest('the library tells the same', async () => {
  const ids = await connect('memory:', { allowCreate: false })
  const { facts, findings } = await ids.diagnose()
  assert.deepEqual(facts, { server: 'the memory of this process' })
  assert.deepEqual(
    findings.map(({ level, what }) => [level, what]),
    [
      ['danger', 'it is forgotten when the process ends, and shared with no other'],
      ['ok', 'an unknown generator is not created'],
    ],
  )
  await ids.close()
  await assert.rejects(ids.diagnose(), { code: 'ERR_MINTID_CLOSED' })
})
