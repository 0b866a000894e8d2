// Who shares what on Redis: connections, counters, databases; and every way to reach a server.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test as anyTest } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, createIds } from 'mintid'
import { TLS_FILES } from '../scripts/servers/tls.mjs'
import { inWorker } from './support/elsewhere.mjs'
import { assertFails } from './support/failure.mjs'
import { folderOf } from './support/folder.mjs'
import { assertGrowing } from './support/ids.mjs'
import { countersOf, idsOf, ownServer, proxyTo } from './support/redis.mjs'
import { freshKey, testOn, withoutServers } from './support/servers.mjs'

const test = (name, body) => anyTest(name, { skip: withoutServers }, body)

const INVALID = 'ERR_MINTID_CONFIG_INVALID'
const UNAVAILABLE = 'ERR_MINTID_STORE_UNAVAILABLE'
const PAUSE_MS = 20

/** How many connections a server has beside the one that asks. */
async function clients(own) {
  const id = await own.call('CLIENT', 'ID')
  const lines = (await own.call('CLIENT', 'LIST')).trim().split('\n')
  return lines.filter((line) => !line.startsWith(`id=${id} `)).length
}

/** Connections end a little after they were closed. */
const untilClients = async (own, count) => {
  while ((await clients(own)) !== count) await sleep(PAUSE_MS)
}

test('a process has one connection to a server, whoever of it asks', async (t) => {
  const own = await ownServer(t)
  const [first, second] = [createIds(own.url), createIds(own.url)]
  const named = createIds(own.url, { namespace: 'shop' })
  assert.equal(await clients(own), 0)
  const ids = await Promise.all([
    ...Array.from({ length: 50 }, () => first.segment('orders').next()),
    ...Array.from({ length: 50 }, () => second.segment('orders').next()),
    second.segment('bills').next(),
    named.segment('orders').next(),
  ])
  assertGrowing(ids.slice(0, 100))
  assert.deepEqual(ids.slice(100), [1n, 1n])
  const { worker, result } = inWorker(async ({ createIds }, url, port) => {
    const ids = createIds(url)
    const id = await ids.segment('orders').next()
    port.postMessage({ minted: id })
    await new Promise((resolve) => port.once('message', resolve))
    await ids.close()
    return id
  }, own.url)
  const minted = await new Promise((resolve) =>
    worker.on('message', (message) => 'minted' in message && resolve(message.minted)),
  )
  assert.ok(minted > 0n && !ids.slice(0, 100).includes(minted))
  assert.equal(await clients(own), 1)
  worker.postMessage('end')
  await result
  await Promise.all([first, named].map((each) => each.close()))
  assert.equal(await clients(own), 1)
  await second.close()
  await untilClients(own, 0)
})

test('a second connection is opened where ranges are proved, and no third', async (t) => {
  const own = await ownServer(t, { args: ['--appendonly', 'yes', '--appendfsync', 'always'] })
  const ids = idsOf(t, own.url)
  const names = Array.from({ length: 40 }, (_, at) => `orders${at}`)
  await ids.ready()
  assert.equal(await clients(own), 1)
  await Promise.all(names.map((name) => ids.segment(name).next()))
  assert.equal(await clients(own), 2)
})

test('handles that are made and closed leave no connection behind', async (t) => {
  const own = await ownServer(t)
  for (let round = 0; round < 20; round++) {
    const ids = await connect(own.url)
    await ids.segment('orders').nextRange(1)
    await ids.close()
  }
  await untilClients(own, 0)
  assert.deepEqual(await countersOf(own), { orders: '20' })
})

test('one connect that fails disturbs nobody who is connected (case 101)', async (t) => {
  const own = await ownServer(t)
  const ids = await connect(own.url)
  t.after(() => ids.close())
  const bad = () => connect('redis://127.0.0.1:1')
  await assertFails(bad, UNAVAILABLE)
  assert.equal(await ids.segment('orders').next(), 1n)
  await assertFails(bad, UNAVAILABLE)
  assert.equal(await ids.segment('orders').next(), 2n)
})

test('another key is another counter, and so is another namespace', async (t) => {
  const own = await ownServer(t)
  const stores = [
    idsOf(t, own.url),
    idsOf(t, own.url, { key: 'others' }),
    idsOf(t, own.url, { namespace: 'shop' }),
    idsOf(t, own.url, { key: 'others', namespace: 'shop' }),
  ]
  for (const ids of stores) {
    assert.deepEqual(await ids.segment('orders').nextRange(7), { start: 1n, end: 8n })
  }
  assert.deepEqual(await countersOf(own), { orders: '7', 'shop/orders': '7' })
  assert.deepEqual(await countersOf(own, 'others'), { orders: '7', 'shop/orders': '7' })
  const listed = await stores[2].list()
  assert.deepEqual(listed, [{ key: 'shop/orders', value: 7n, sealed: false }])
})

test('a store and a generator that are new are told as such', async (t) => {
  const own = await ownServer(t)
  const ids = idsOf(t, own.url)
  const created = async (name) => {
    const told = new Promise((resolve) => ids.once('created', resolve))
    await ids.segment(name).next()
    const { key, store, what } = await told
    return { key, store, what }
  }
  assert.deepEqual(await created('orders'), { key: 'orders', store: own.url, what: 'store' })
  assert.deepEqual(await created('bills'), { key: 'bills', store: own.url, what: 'generator' })
})

test('two handles on one server have to want the same of it', async (t) => {
  const own = await ownServer(t)
  idsOf(t, own.url, { identity: 'server', durability: 'none' })
  for (const [option, value] of [
    ['durability', 'disk'],
    ['identity', 'none'],
    ['acceptLoss', true],
  ]) {
    const { message } = await assertFails(() => createIds(own.url, { [option]: value }), INVALID)
    assert.ok(message.startsWith(option), message)
  }
})

test('redis, valkey and kvrocks are names for one server', async (t) => {
  const own = await ownServer(t)
  const urls = ['redis', 'valkey', 'kvrocks'].map((name) => `${name}://127.0.0.1:${own.port}`)
  const handles = urls.map((url) => idsOf(t, url).segment('orders'))
  const ids = []
  for (let i = 0; i < 9; i++) ids.push(await handles[i % 3].next())
  assert.deepEqual(ids, [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n, 9n])
  assert.equal(await clients(own), 1)
})

test('a socket of Unix leads to the same counters', async (t) => {
  const socket = join(folderOf(t), 'redis.sock')
  const own = await ownServer(t, { args: ['--unixsocket', socket] })
  const ids = idsOf(t, `redis+unix://${socket}`)
  assert.ok(ids.store.includes(socket), ids.store)
  assert.deepEqual(await ids.segment('orders').nextRange(7), { start: 1n, end: 8n })
  const another = idsOf(t, `valkey+unix://${socket}?db=2`)
  assert.deepEqual(await another.segment('orders').nextRange(5), { start: 1n, end: 6n })
  assert.deepEqual(await countersOf(own), { orders: '7' })
  await own.call('SELECT', 2)
  assert.deepEqual(await countersOf(own), { orders: '5' })
  const gone = idsOf(t, `redis+unix://${socket}.not`)
  await assertFails(() => gone.ready(), UNAVAILABLE)
})

test('a database is chosen by the URL or by an option, and is a place of its own', async (t) => {
  const own = await ownServer(t)
  const byUrl = idsOf(t, `${own.url}/3`)
  const byOption = idsOf(t, own.url, { database: 3 })
  assert.deepEqual(await byUrl.segment('orders').nextRange(5), { start: 1n, end: 6n })
  assert.deepEqual(await byOption.segment('orders').nextRange(5), { start: 6n, end: 11n })
  assert.deepEqual(await idsOf(t, own.url).segment('orders').nextRange(2), { start: 1n, end: 3n })
  assert.deepEqual(await countersOf(own), { orders: '2' })
  await own.call('SELECT', 3)
  assert.deepEqual(await countersOf(own), { orders: '10' })
  const { message } = await assertFails(() => createIds(`${own.url}/3`, { database: 4 }), INVALID)
  assert.match(message, /database/)
})

test('a database that the server does not have is an answer', async (t) => {
  const own = await ownServer(t, { args: ['--databases', '2'] })
  const ids = idsOf(t, `${own.url}/7`)
  const { message } = await assertFails(() => ids.ready(), 'ERR_MINTID_STORE_ERROR')
  assert.match(message, /DB index|database/)
})

test('user and password come by the URL or by options', async (t) => {
  const own = await ownServer(t)
  const password = 'p@ss:w/rd ü#%'
  await own.call('ACL', 'SETUSER', 'app', 'on', `>${password}`, '~*', '+@all')
  const place = `127.0.0.1:${own.port}`
  const encoded = encodeURIComponent(password)
  const ways = [
    [`redis://app:${encoded}@${place}`, {}],
    [`redis://${place}`, { username: 'app', password }],
    [`redis://app@${place}`, { password }],
    [`redis://app:${encoded}@${place}`, { username: 'app', password }],
  ]
  for (const [at, [url, options]] of ways.entries()) {
    const ids = createIds(url, options)
    assert.equal(ids.store, `redis://app@${place}`)
    assert.equal((await ids.segment('orders').nextRange(1)).start, BigInt(at + 1))
    const names = (await own.call('CLIENT', 'LIST')).match(/ user=app /g)
    assert.equal(names?.length, 1)
    await ids.close()
  }
  const { message } = await assertFails(
    () => createIds(ways[0][0], { password: 'another' }),
    INVALID,
  )
  assert.match(message, /^password/)
  for (const secret of [password, encoded, '"another"']) {
    assert.ok(!message.includes(secret), message)
  }
})

test('the password of the server alone is enough', async (t) => {
  const own = await ownServer(t, { kind: 'redis7', password: 'hunter2' })
  assert.equal(await idsOf(t, own.url).segment('orders').next(), 1n)
  assert.ok(!idsOf(t, own.url).store.includes('hunter2'))
})

const [ca, cert, key] = [TLS_FILES.ca, TLS_FILES.client.cert, TLS_FILES.client.key].map((file) =>
  readFileSync(file, 'utf8'),
)

test('a server with TLS is trusted through its CA, given as Node takes it', async (t) => {
  const own = await ownServer(t, { kind: 'redis7', tls: true })
  const forms = [{ ca }, { ca: Buffer.from(ca) }, { ca: [ca] }, { ca: [cert, ca] }]
  for (const [at, tls] of forms.entries()) {
    const ids = createIds(own.url, { tls })
    assert.equal((await ids.segment('orders').nextRange(1)).start, BigInt(at + 1))
    await ids.close()
  }
  const url = own.url.replace('127.0.0.1', 'localhost')
  assert.equal(await idsOf(t, url, { tls: { ca } }).segment('bills').next(), 1n)
})

for (const [what, tls] of [
  ['without its CA', undefined],
  ['through another CA', { ca: cert }],
  ['under another name', { ca, servername: 'example.org' }],
]) {
  test(`a server with TLS is not trusted ${what}`, async (t) => {
    const own = await ownServer(t, { kind: 'redis7', tls: true })
    const ids = idsOf(t, own.url, { tls })
    const { message } = await assertFails(() => ids.ready(), UNAVAILABLE)
    assert.match(message, /certificate/i)
    assert.deepEqual(await countersOf(own), {})
  })
}

test('a server that wants a certificate of its clients is shown one', async (t) => {
  const own = await ownServer(t, { kind: 'redis7', tls: { clients: true } })
  const ids = idsOf(t, own.url, { tls: { ca, cert, key }, key: 'known' })
  assert.equal(await ids.segment('orders').next(), 1n)
  const stranger = idsOf(t, own.url, { tls: { ca }, key: 'strange' })
  await assertFails(() => stranger.ready(), UNAVAILABLE)
  assert.deepEqual(await countersOf(own, 'strange'), {})
})

for (const [what, tls, told] of [
  ['no PEM', { ca: 'not a certificate' }, /^tls.*ca.*PEM/],
  ['a key alone', { ca, key }, /^tls.*cert/],
  ['a certificate alone', { ca, cert }, /^tls.*key/],
  ['a key that is none', { ca, cert, key: ca }, /^tls.*key/],
  ['an unknown part', { ca, pfx: 'x' }, /^tls/],
]) {
  test(`${what} in tls is refused at once, and not repeated`, async () => {
    const call = () => createIds('rediss://127.0.0.1:6390', { tls })
    const { message } = await assertFails(call, INVALID)
    assert.match(message, told)
    assert.doesNotMatch(message, /BEGIN|not a certificate/)
  })
}

for (const name of ['REDIS7', 'REDIS8', 'VALKEY9', 'KVROCKS', 'CLUSTER', 'SENTINEL']) {
  testOn(name, 'ids are dense, exact and growing', async (t, url) => {
    const key = freshKey()
    const ids = idsOf(t, url, { key })
    const orders = ids.segment('orders', { step: 10, lookahead: 0 })
    assert.equal(await ids.floor('orders', 2n ** 53n), true)
    const taken = []
    for (let i = 0; i < 25; i++) taken.push(await orders.next())
    assert.deepEqual(taken[0], 2n ** 53n + 1n)
    assert.deepEqual(taken.at(-1), 2n ** 53n + 25n)
    assertGrowing(taken)
    const value = 2n ** 53n + 30n
    assert.deepEqual(await ids.list(), [{ key: 'orders', value, sealed: false }])
  })
}

testOn('CLUSTER', 'every node of a cluster serves the hashes that are its own', async (t, url) => {
  const stores = Array.from({ length: 12 }, () => idsOf(t, url, { key: freshKey() }))
  const firsts = await Promise.all(stores.map((ids) => ids.segment('orders').next()))
  assert.deepEqual(
    firsts,
    stores.map(() => 1n),
  )
})

/** A thousand generators of one store, which are cold. */
const thousand = (ids, options) =>
  Array.from({ length: 1_000 }, (_, at) => ids.segment(`orders${at}`, options))

test('a thousand generators share a slow connection, and none starves', async (t) => {
  const own = await ownServer(t)
  const proxy = await proxyTo(t, own)
  const ids = idsOf(t, proxy.url)
  await ids.ready()
  // With 32 on their way at once the last of them waits for thirty others, one after another.
  proxy.delay(5)
  const generators = thousand(ids)
  const first = await Promise.all(generators.map((each) => each.next()))
  assert.ok(first.every((id) => id === 1n))
  const second = await Promise.all(generators.map((each) => each.next()))
  assert.ok(second.every((id) => id === 2n))
  assert.equal(proxy.accepted, 1)
  const refilled = await Promise.all(generators.map((each) => each.nextBatch(150)))
  assert.ok(refilled.every((batch) => batch.length === 150 && batch[0] === 3n))
})

test('a busy generator keeps no other from its ids', async (t) => {
  const own = await ownServer(t)
  const ids = idsOf(t, own.url)
  const busy = ids.segment('busy', { policy: 'fixed', step: 1 })
  let isOver = false
  const load = Promise.all(
    Array.from({ length: 200 }, async () => {
      while (!isOver) await busy.nextRange(1)
    }),
  )
  for (let at = 0; at < 50; at++) {
    const orders = ids.segment(`orders${at}`)
    assert.equal(await orders.next(), 1n)
  }
  isOver = true
  await load
})

const EVERYSEC = ['--appendonly', 'yes', '--appendfsync', 'everysec']

for (const kind of ['redis8', 'valkey9']) {
  test(`a thousand generators start on a ${kind} that syncs once a second`, async (t) => {
    const own = await ownServer(t, { kind, args: EVERYSEC })
    const ids = idsOf(t, own.url)
    await ids.ready()
    // Two rounds of proofs, of a second each: on a busy machine that may take more than three.
    const generators = thousand(ids, { reserveTimeout: 10_000 })
    const outcomes = await Promise.allSettled(generators.map((each) => each.next()))
    const failed = outcomes.filter(({ status }) => status === 'rejected')
    assert.equal(failed.length, 0, `${failed.length}, such as ${failed[0]?.reason}`)
  })
}
