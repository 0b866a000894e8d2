// Servers that refuse, or that are not what is asked for: each is told by its code and in time,
// nothing is minted, and no message holds a password.

import assert from 'node:assert/strict'
import { test as anyTest } from 'node:test'
import { inspect } from 'node:util'
import { assertFails, failureOf } from './support/failure.mjs'
import {
  assertUnavailable,
  countersOf,
  freshPort,
  idsOf,
  ownServer,
  talkingServer,
  tamperedServer,
  within,
} from './support/redis.mjs'
import { retry } from './support/retry.mjs'
import { withoutServers } from './support/servers.mjs'

const test = (name, body) => anyTest(name, { skip: withoutServers }, body)

const INVALID = 'ERR_MINTID_CONFIG_INVALID'
const REFUSED = 'ERR_MINTID_STORE_ERROR'
const RANGE_UNAVAILABLE = 'ERR_MINTID_RANGE_UNAVAILABLE'
const UNAVAILABLE = 'ERR_MINTID_STORE_UNAVAILABLE'

const PASSWORD = 'hunter2'
const WRONG = 'hunter3'

/** What is refused is told at once: this is for a machine that is busy. */
const AT_ONCE_MS = 2_000
/** How long a silent server is waited for, by `ready` and by callers. */
const PATIENCE_MS = 1_000
const ACL = ['ACL', 'SETUSER', 'app', 'reset', 'on', `>${PASSWORD}`, '~*', '&*', '+@all']

/** A server on which the user `app` may do all but some commands. */
async function limited(t, kind, ...rules) {
  const own = await ownServer(t, { kind })
  await own.call(...ACL, ...rules)
  return { own, url: `redis://app:${PASSWORD}@127.0.0.1:${own.port}` }
}

/**
 * Holds what `ready` and a caller are told against what is due. `withReady: false` is for servers
 * that let one in, and refuse the reservation.
 */
async function assertTold(ids, { code, told, withReady = true }) {
  const errors = []
  const failing = []
  ids.on('refillFailed', ({ message }) => failing.push(message))
  const limit = AT_ONCE_MS + PATIENCE_MS
  if (withReady) errors.push(await within(limit, () => assertFails(() => ids.ready(), code)))
  const orders = ids.segment('orders', { reserveTimeout: PATIENCE_MS })
  for (const call of [() => orders.next(), () => orders.nextRange(5)]) {
    const isFinal = code === INVALID
    const fails = isFinal ? assertFails : assertUnavailable
    errors.push(await within(limit, () => fails(call, code)))
  }
  assert.equal(orders.tryNext(), undefined)
  for (const { message } of errors) assert.match(message, told)
  const everything = [ids.store, ids.health(), orders.describe(), failing, ...errors]
  const text = everything.map((each) => inspect(each, { depth: 9 })).join('\n')
  for (const secret of [PASSWORD, WRONG]) assert.ok(!text.includes(secret), text)
}

for (const kind of ['redis7', 'valkey9']) {
  for (const [rules, told] of [
    [['-eval', '-evalsha'], /^identity = server: .*allow EVAL, EVALSHA and INFO.*"none"/],
    [['-info'], /^identity = server: .*allow EVAL, EVALSHA and INFO.*"none"/],
  ]) {
    test(`a user without ${rules} is told what to allow, on ${kind}`, async (t) => {
      const { own, url } = await limited(t, kind, ...rules)
      const ids = idsOf(t, url)
      await assertTold(ids, { code: INVALID, told })
      assert.deepEqual(await countersOf(own), {})
    })

    test(`a user without ${rules} mints where identity is none, on ${kind}`, async (t) => {
      const { own, url } = await limited(t, kind, ...rules)
      const orders = idsOf(t, url, { identity: 'none' }).segment('orders', { lookahead: 0 })
      assert.equal(await orders.next(), 1n)
      assert.deepEqual(await orders.nextRange(50), { start: 101n, end: 151n })
      assert.deepEqual(await countersOf(own), { orders: '150' })
      // A client that knows nothing of this takes its ids from the same counter.
      await own.call('HINCRBY', 'kvid', 'orders', 10)
      assert.deepEqual(await orders.nextRange(5), { start: 161n, end: 166n })
    })
  }

  for (const rule of ['-hset', '-hmget']) {
    test(`a user without ${rule} gets no id, on ${kind}`, async (t) => {
      const { own, url } = await limited(t, kind, rule)
      const told = /permission|can't run this command/
      await assertTold(idsOf(t, url), { code: REFUSED, told, withReady: false })
      assert.deepEqual(await countersOf(own), {})
    })
  }

  test(`a user without -hset is told what to allow, on ${kind}`, async (t) => {
    const { url } = await limited(t, kind, '-hset')
    const orders = idsOf(t, url).segment('orders')
    const { message } = await assertUnavailable(() => orders.next(), REFUSED)
    assert.match(message, /docs\/production\.md lists what the user needs/)
  })

  test(`rights that are taken away later are an error and no fallback, on ${kind}`, async (t) => {
    const { own, url } = await limited(t, kind)
    const orders = idsOf(t, url).segment('orders', { lookahead: 0 })
    await orders.nextRange(100)
    await own.call('ACL', 'SETUSER', 'app', '-eval', '-evalsha')
    await assertUnavailable(() => orders.nextRange(100), REFUSED)
    assert.deepEqual(await countersOf(own), { orders: '100' })
    await own.call('ACL', 'SETUSER', 'app', '+eval', '+evalsha')
    assert.deepEqual(await retry(() => orders.nextRange(100)), { start: 101n, end: 201n })
  })

  test(`a server without memory refuses, on ${kind}`, async (t) => {
    const own = await ownServer(t, { kind, args: ['--maxmemory-policy', 'noeviction'] })
    await own.call('CONFIG', 'SET', 'maxmemory', '1mb')
    const ids = idsOf(t, own.url)
    await assertTold(ids, { code: REFUSED, told: /OOM.*raise maxmemory/, withReady: false })
    assert.deepEqual(await countersOf(own), {})
    await own.call('CONFIG', 'SET', 'maxmemory', '0')
    assert.equal(await retry(() => ids.segment('orders').next()), 1n)
  })

  test(`a wrong password and a missing one are told as such, on ${kind}`, async (t) => {
    const own = await ownServer(t, { kind, password: PASSWORD })
    const place = `127.0.0.1:${own.port}`
    const wrong = { code: REFUSED, told: /WRONGPASS.*check the user name and the password/ }
    await assertTold(idsOf(t, `redis://:${WRONG}@${place}`), wrong)
    await assertTold(idsOf(t, `redis://${place}`, { password: WRONG, key: 'option' }), wrong)
    await assertTold(idsOf(t, `redis://nobody:${WRONG}@${place}/0`, { key: 'user' }), wrong)
    const missing = { code: REFUSED, told: /NOAUTH.*wants a password/ }
    await assertTold(idsOf(t, `redis://${place}`, { key: 'missing' }), missing)
    assert.equal(await own.call('KEYS', '*').then(String), '')
  })
}

test('a user who may not touch the key is told about the key', async (t) => {
  const { own, url } = await limited(t, 'valkey9', 'resetkeys', '~other*')
  const ids = idsOf(t, url, { identity: 'none' })
  await assertTold(ids, { code: REFUSED, told: /NOPERM.*key/, withReady: false })
  assert.deepEqual(await countersOf(own), {})
  assert.equal(await idsOf(t, url, { key: 'others' }).segment('orders').next(), 1n)
})

test('a user who may not touch the key is told about the key where identity is server', async (t) => {
  const { url } = await limited(t, 'valkey9', 'resetkeys', '~other*')
  const { message } = await failureOf(() => idsOf(t, url).ready())
  assert.match(message, /NOPERM.*key/)
})

test('a port where nobody listens is told at once', async (t) => {
  const url = `redis://app:${PASSWORD}@127.0.0.1:${await freshPort()}`
  await assertTold(idsOf(t, url), { code: UNAVAILABLE, told: /not available.*refused/i })
})

test('a server without TLS is given up in time by a client with it', async (t) => {
  const own = await ownServer(t)
  const url = own.url.replace('redis:', `rediss:`)
  const ids = idsOf(t, url, { connectTimeout: PATIENCE_MS })
  await assertTold(ids, { code: UNAVAILABLE, told: /not available/ })
})

test('a server with TLS is given up in time by a client without it', async (t) => {
  const own = await ownServer(t, { kind: 'redis7', tls: true })
  const ids = idsOf(t, own.url.replace('rediss:', 'redis:'), { connectTimeout: PATIENCE_MS })
  await assertTold(ids, { code: UNAVAILABLE, told: /not available/ })
})

test('what keeps a connection from being made is told in words', async (t) => {
  const own = await ownServer(t, { kind: 'redis7', tls: true })
  for (const url of [own.url, `redis://127.0.0.1:${await freshPort()}`]) {
    const { message } = await assertFails(() => idsOf(t, url).ready(), UNAVAILABLE)
    assert.doesNotMatch(message, /\b(Os|Custom|kind:) /, message)
  }
})

for (const [what, answer] of [
  ['of another protocol', 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n'],
  ['that says nothing', ''],
]) {
  test(`a server ${what} is given up in time (case 13)`, async (t) => {
    const { port } = await talkingServer(t, answer)
    const ids = idsOf(t, `redis://:${PASSWORD}@127.0.0.1:${port}`, { connectTimeout: PATIENCE_MS })
    await assertTold(ids, { code: UNAVAILABLE, told: /not available/ })
  })
}

test('a server that still loads is told as such, and serves once it has loaded', async (t) => {
  const own = await ownServer(t)
  await own.call('HSET', 'kvid', 'orders', 5_000)
  for (let at = 0; at < 200; at++) await own.call('SET', `key${at}`, at)
  await own.call('SAVE')
  const slowly = ['--key-load-delay', '15000', '--loading-process-events-interval-bytes', '1024']
  await own.kill()
  const loaded = own.restart({ args: slowly })
  const ids = idsOf(t, own.url)
  const told = []
  let isReady = false
  while (!isReady) {
    await ids.ready().then(
      () => {
        isReady = true
      },
      ({ code, message }) => told.push(`${code} ${message}`),
    )
  }
  await loaded
  assert.match(told.join('\n'), /ERR_MINTID_STORE_ERROR .*LOADING.*once it has loaded/)
  assert.ok((await retry(() => ids.segment('orders').next())) > 5_000n)
})

test('a replica is refused, and serves once it is none', async (t) => {
  const master = await ownServer(t)
  const replica = await ownServer(t, { args: ['--replicaof', '127.0.0.1', String(master.port)] })
  const ids = idsOf(t, replica.url)
  await assertTold(ids, { code: REFUSED, told: /no master/ })
  await replica.call('REPLICAOF', 'NO', 'ONE')
  assert.equal(await retry(() => ids.segment('orders').next()), 1n)
  assert.deepEqual(await countersOf(master), {})
})

test('a master that becomes a replica grants nothing more', async (t) => {
  const [own, master] = [await ownServer(t), await ownServer(t)]
  const orders = idsOf(t, own.url).segment('orders', { lookahead: 0 })
  const first = await orders.nextRange(100)
  await own.call('REPLICAOF', '127.0.0.1', String(master.port))
  await assertUnavailable(() => orders.nextRange(100), REFUSED)
  await own.call('REPLICAOF', 'NO', 'ONE')
  const next = await retry(() => orders.nextRange(100))
  assert.ok(next.start >= first.end, `${next.start} after ${first.end}`)
  assert.deepEqual(await countersOf(master), {})
})

/** The generators of a server that grants by words of the test's own. */
async function grantingBy(t, change) {
  const own = await ownServer(t)
  const isGrant = (reply) => Array.isArray(reply) && reply[0] === 'granted'
  const changed = (reply) => (isGrant(reply) ? change(reply) : reply)
  return idsOf(t, (await tamperedServer(t, own, changed)).url)
}

for (const [error, told] of [
  ['READONLY You can not write against a read only replica.', /READONLY.*it is a replica/],
  ['MISCONF Errors writing to the AOF file', /MISCONF/],
  ['NOREPLICAS Not enough good replicas to write.', /NOREPLICAS.*min-replicas-to-write/],
  ['BUSY Redis is busy running a script.', /BUSY/],
  ['ERR something new', /something new/],
]) {
  test(`${error.split(' ')[0]} is told as the server says it`, async (t) => {
    const ids = await grantingBy(t, () => new Error(error))
    await assertTold(ids, { code: REFUSED, told, withReady: false })
  })
}

test('a reply that nobody changed is believed', async (t) => {
  const ids = await grantingBy(t, (reply) => reply)
  assert.deepEqual(await ids.segment('orders').nextRange(5), { start: 1n, end: 6n })
})

const raw = (text) => Buffer.from(text, 'latin1')
/** A grant up to something else than the server said. */
const upTo = (last) => (reply) => reply.with(1, last)

for (const [what, change] of [
  ['a number', () => 100n],
  ['a word', () => raw('+OK\r\n')],
  ['nothing', () => null],
  ['no list', () => raw('*-1\r\n')],
  ['an empty list', () => []],
  ['a list of numbers', () => [1n, 2n]],
  ['a list in a list', () => [['OK']]],
  ['an unknown word', () => ['perhaps', '100']],
  ['bytes that are no text', () => raw('*2\r\n$7\r\ngranted\r\n$2\r\n\xff\xfe\r\n')],
  ['a grant alone', (reply) => reply.slice(0, 1)],
  ['a grant that is cut short', (reply) => reply.slice(0, 3)],
  ['a grant up to no number', upTo('hundred')],
  ['a grant up to a negative number', upTo('-100')],
  ['a grant up to a fraction', upTo('100.5')],
  ['a grant up to nothing', upTo('')],
  ['a grant below the size', upTo('4')],
  ['a grant past the last id', upTo('9223372036854775807')],
  ['a grant past 64 bits', upTo('99999999999999999999')],
]) {
  test(`${what} in the place of a range is no range`, async (t) => {
    const ids = await grantingBy(t, change)
    await assertTold(ids, { code: REFUSED, told: /store redis/, withReady: false })
  })
}

test('a range of ids that were granted before is no range', async (t) => {
  let change = (reply) => reply
  const ids = await grantingBy(t, (reply) => change(reply))
  const orders = ids.segment('orders', { lookahead: 0 })
  assert.equal((await orders.nextRange(100)).start, 1n)
  change = upTo('150')
  await assertFails(() => orders.nextRange(100), 'ERR_MINTID_STORE_WENT_BACK')
  change = (reply) => reply
  assert.ok((await retry(() => orders.nextRange(100))).start > 200n)
})

for (const policy of ['allkeys-lru', 'allkeys-lfu', 'allkeys-random']) {
  test(`a server that evicts by ${policy} is refused, unless the loss is accepted`, async (t) => {
    const own = await ownServer(t, { args: ['--maxmemory', '100mb', '--maxmemory-policy', policy] })
    const told = new RegExp(`^acceptLoss = false: .*${policy}.*noeviction.*acceptLoss: true`)
    await assertTold(idsOf(t, own.url), { code: INVALID, told })
    assert.deepEqual(await countersOf(own), {})
    const ids = idsOf(t, own.url, { acceptLoss: true, key: 'accepted' })
    assert.equal(await ids.segment('orders').next(), 1n)
  })
}

test('a server that evicts what expires is harmless', async (t) => {
  const args = ['--maxmemory', '100mb', '--maxmemory-policy', 'volatile-lru']
  const own = await ownServer(t, { args })
  assert.equal(await idsOf(t, own.url).segment('orders').next(), 1n)
})

test('a hash that expires is refused, and served once it does not', async (t) => {
  const own = await ownServer(t)
  await own.call('HSET', 'kvid', 'orders', 5)
  await own.call('EXPIRE', 'kvid', 1_000)
  const ids = idsOf(t, own.url)
  await assertTold(ids, { code: REFUSED, told: /kvid expires in \d+ s.*PERSIST kvid/ })
  assert.deepEqual(await countersOf(own), { orders: '5' })
  await own.call('PERSIST', 'kvid')
  assert.ok((await retry(() => ids.segment('orders').next())) > 5n)
})

const AOF = ['--appendonly', 'yes', '--appendfsync', 'always']

for (const [what, options, told] of [
  ['without AOF', { kind: 'valkey9' }, /appendonly yes/],
  ['without AOF', { kind: 'redis8' }, /appendonly yes/],
  ['that has no WAITAOF', { kind: 'redis7', args: AOF }, /WAITAOF \(Redis 7\.2/],
]) {
  test(`durability disk is refused by a ${options.kind} ${what} (case 26)`, async (t) => {
    const own = await ownServer(t, options)
    const ids = idsOf(t, own.url, { durability: 'disk' })
    await assertTold(ids, { code: INVALID, told })
    assert.match((await assertFails(() => ids.ready(), INVALID)).message, /^durability = disk: /)
    assert.deepEqual(await countersOf(own), {})
  })
}

test('durability disk mints where there is an AOF', async (t) => {
  const own = await ownServer(t, { args: AOF })
  const orders = idsOf(t, own.url, { durability: 'disk' }).segment('orders', { lookahead: 0 })
  assert.equal(await orders.next(), 1n)
  assert.deepEqual(await orders.nextRange(50), { start: 101n, end: 151n })
})

test('a replica that is asked for and not there is told by number', async (t) => {
  const own = await ownServer(t)
  const ids = idsOf(t, own.url, { durability: { replicas: 1 } })
  await assertTold(ids, { code: REFUSED, told: /asks for 1 replicas, and the server has 0/ })
  assert.deepEqual(await countersOf(own), {})
})

/** A generator whose ranges need a replica, which is frozen. */
async function withoutReplica(t) {
  const own = await ownServer(t)
  const replica = await ownServer(t, { args: ['--replicaof', '127.0.0.1', String(own.port)] })
  const ids = idsOf(t, own.url, { durability: { replicas: 1 } })
  const orders = ids.segment('orders', { lookahead: 0, reserveTimeout: PATIENCE_MS })
  // The link may still be on its way to the state in which it counts.
  await retry(() => orders.nextRange(100))
  const last = BigInt(await own.call('HGET', 'kvid', 'orders'))
  replica.freeze()
  return { replica, orders, last }
}

test('no range is served that no replica has', async (t) => {
  const { replica, orders, last } = await withoutReplica(t)
  const call = () => orders.nextRange(100)
  await within(PATIENCE_MS + AT_ONCE_MS, () => assertFails(call, RANGE_UNAVAILABLE))
  replica.thaw()
  const { start } = await retry(call)
  // What could not be proved is a gap.
  assert.ok(start > last + 100n, `${start} after ${last}`)
})

test('a replica that is waited for in vain is the cause', async (t) => {
  const { orders } = await withoutReplica(t)
  const { message } = await assertUnavailable(() => orders.nextRange(100), UNAVAILABLE)
  assert.match(message, /WAIT|replica/)
})
