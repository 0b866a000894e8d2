// A Redis that remembers less than it has granted, or is another one: what a process has seen is
// never granted twice, and what nobody can know is refused.

import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { test as anyTest } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createIds } from 'mintid'
import { inProcess, inWorker } from './support/elsewhere.mjs'
import { assertFails, failureOf } from './support/failure.mjs'
import { assertDistinct } from './support/ids.mjs'
import { countersOf, idsOf, ownServer, proxyTo } from './support/redis.mjs'
import { retry, until } from './support/retry.mjs'
import { withoutServers } from './support/servers.mjs'

const test = (name, body) => anyTest(name, { skip: withoutServers }, body)

const WENT_BACK = 'ERR_MINTID_STORE_WENT_BACK'
const MISSING = 'ERR_MINTID_RANGE_MISSING'
const SEALED = 'ERR_MINTID_RANGE_SEALED'
const USED = 5_000
const PAUSE_MS = 10
/** The least that a counter leaps by where nobody says otherwise. */
const LEAST_JUMP = 2n ** 24n

/** Keeps what is told of a generator, and waits for one of it. */
function listen(orders) {
  const told = []
  for (const event of ['storeWentBack', 'jumped']) {
    orders.on(event, (details) => told.push({ event, ...details }))
  }
  return {
    told,
    /** What was told under this name; events follow the call that brought them to light. */
    async first(name) {
      while (!told.some(({ event }) => event === name)) {
        await sleep(PAUSE_MS)
      }
      return told.find(({ event }) => event === name)
    },
    names: () => told.map(({ event }) => event),
  }
}

/** A server on which `orders` and `bills` have granted some ids to this process. */
async function used(t, options) {
  const own = await ownServer(t)
  const ids = idsOf(t, own.url, options)
  const [orders, bills] = ['orders', 'bills'].map((name) => ids.segment(name, { lookahead: 0 }))
  const { end } = await orders.nextRange(USED)
  assert.equal(end, BigInt(USED) + 1n)
  await bills.nextRange(10)
  return { own, ids, orders, bills, seen: end - 1n }
}

const LOSSES = {
  'a FLUSHALL': (own) => own.call('FLUSHALL'),
  'a DEL of the hash': (own) => own.call('DEL', 'kvid'),
  'an HDEL of the counter': (own) => own.call('HDEL', 'kvid', 'orders'),
  'an HDEL of all of a generator': (own) =>
    own.call('HDEL', 'kvid', 'orders', '#gen:orders', '#run:orders'),
  'a counter that was lowered': (own) => own.call('HSET', 'kvid', 'orders', 5),
  'a counter that was set to 0': (own) => own.call('HSET', 'kvid', 'orders', 0),
}

for (const [what, lose] of Object.entries(LOSSES)) {
  test(`${what} is noticed, and the counter raised above all ids seen (case 16)`, async (t) => {
    const { own, orders, bills, seen } = await used(t)
    const heard = listen(orders)
    await lose(own)
    const range = await retry(() => orders.nextRange(10))
    assert.ok(range.start > seen + LEAST_JUMP, `${range.start} after ${seen}`)
    const { message, key, store } = await heard.first('storeWentBack')
    assert.match(message, /"orders" stood at (0|5) and was raised to \d+/)
    assert.deepEqual([key, store], ['orders', own.url])
    const { to } = await heard.first('jumped')
    assert.equal(BigInt(to), range.start - 1n)
    // The other key's ids are as safe, whether it was lost as well or not.
    assert.ok((await retry(() => bills.nextRange(10))).start > 10n)
    assert.equal(await own.call('HGET', 'kvid', 'orders'), String(range.end - 1n))
  })

  test(`${what} is refused for good where repair is off (case 16)`, async (t) => {
    const { own, orders } = await used(t, { repair: false })
    const heard = listen(orders)
    await lose(own)
    const before = await countersOf(own)
    for (let i = 0; i < 3; i++) {
      const { message, retryable } = await assertFails(() => orders.nextRange(10), WENT_BACK)
      assert.equal(retryable, true)
      assert.match(message, /"orders" stands at (nothing|0|5), and 5000 was granted before/)
    }
    await heard.first('storeWentBack')
    // Asked again once the pause is over, the answer is the same.
    await until(() => {
      orders.tryNext()
      return orders.stats().failures >= 3
    })
    await assertFails(() => orders.nextRange(10), WENT_BACK)
    assert.deepEqual(await countersOf(own), before)
  })
}

test('one key that went back touches no other (case 16)', async (t) => {
  const { own, orders, bills } = await used(t)
  const heard = listen(bills)
  await own.call('HSET', 'kvid', 'orders', 5)
  await retry(() => orders.nextRange(10))
  assert.deepEqual(await bills.nextRange(10), { start: 11n, end: 21n })
  assert.deepEqual(heard.told, [])
})

test('an owner who raises the counter has put it right where repair is off', async (t) => {
  const { own, ids, orders } = await used(t, { repair: false })
  await own.call('HSET', 'kvid', 'orders', 5)
  await assertFails(() => orders.nextRange(10), WENT_BACK)
  assert.equal(await ids.floor('orders', 6_000n), true)
  assert.deepEqual(await retry(() => orders.nextRange(10)), { start: 6_001n, end: 6_011n })
})

test('what was seen outlives the handles that saw it', async (t) => {
  const own = await ownServer(t)
  const first = createIds(own.url)
  await first.segment('orders').nextRange(USED)
  await first.close()
  await own.call('FLUSHALL')
  const { start } = await retry(() => idsOf(t, own.url).segment('orders').nextRange(10))
  assert.ok(start > BigInt(USED) + LEAST_JUMP, `${start}`)
})

test('what the main thread saw, a worker knows', async (t) => {
  const { own, seen } = await used(t)
  await own.call('FLUSHALL')
  const { result } = inWorker(async ({ createIds }, url) => {
    const ids = createIds(url)
    const { start } = await ids.segment('orders', { lookahead: 0 }).nextRange(10)
    await ids.close()
    return start
  }, own.url)
  const start = await result
  assert.ok(start > seen + LEAST_JUMP, `${start} after ${seen}`)
})

test('two processes that repair one loss do not meet (case 16)', async (t) => {
  const own = await ownServer(t)
  const run = ({ createIds }, { url, first }) => {
    const orders = createIds(url).segment('orders', { lookahead: 0 })
    const told = (range) => console.log(`${range.start} ${range.end}`)
    const again = async () => {
      for (let i = 0; i < 20; i++) told(await orders.nextRange(50))
    }
    return orders.nextRange(first).then(async (range) => {
      told(range)
      process.stdout.write('ready\n')
      // Both go on once the server has lost everything.
      for (;;) {
        const { start, end } = await orders.nextRange(1)
        if (start > range.end + 2n ** 20n) {
          told({ start, end })
          break
        }
        told({ start, end })
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      await again()
    })
  }
  const runs = [USED, 2 * USED].map((first) => inProcess(run, { url: own.url, first }))
  // Each has one range by then.
  while (Number(await own.call('HGET', 'kvid', 'orders')) < 3 * USED + 2) {
    await sleep(PAUSE_MS)
  }
  await own.call('FLUSHALL')
  const outputs = await Promise.all(runs)
  for (const { code, stderr } of outputs) assert.deepEqual([code, stderr], [0, ''])
  const lines = outputs.flatMap(({ stdout }) => stdout.match(/^\d+ \d+$/gm))
  const ranges = lines.map((line) => line.split(' ').map(BigInt))
  ranges.sort(([one], [other]) => (one < other ? -1 : 1))
  for (let i = 1; i < ranges.length; i++) {
    assert.ok(ranges[i][0] >= ranges[i - 1][1], `${ranges[i - 1]} meets ${ranges[i]}`)
  }
})

test('another store in the place of the first one is refused', async (t) => {
  const { own, ids, orders } = await used(t)
  const heard = listen(orders)
  await own.call('HSET', 'kvid', '#store', 'another')
  for (const name of ['orders', 'bills', 'never seen']) {
    const call = () => ids.segment(name, { lookahead: 0 }).nextRange(10)
    const { message } = await assertFails(call, WENT_BACK)
    assert.match(message, /its id is another, .*replaced by another store/)
  }
  await heard.first('storeWentBack')
  assert.deepEqual(await countersOf(own), { orders: String(USED), bills: '10' })
})

test('after a wipe a key that this process never saw is refused, until one it saw is back', async (t) => {
  const { own, ids, orders } = await used(t)
  await own.call('FLUSHALL')
  const others = ids.segment('others', { lookahead: 0 })
  const { message } = await assertFails(() => others.nextRange(10), WENT_BACK)
  assert.match(message, /lost its id .*never saw "others"/)
  assert.deepEqual(await countersOf(own), {})
  await retry(() => orders.nextRange(10))
  // The store has its id back, and there is a generator to be created again.
  assert.deepEqual(await retry(() => others.nextRange(10)), { start: 1n, end: 11n })
})

test('an old snapshot that is restored gives no id twice (case 16)', async (t) => {
  const own = await ownServer(t)
  const orders = idsOf(t, own.url).segment('orders', { lookahead: 0 })
  const heard = listen(orders)
  const seen = [await orders.nextRange(100)]
  await own.call('SAVE')
  const dump = join(own.folder, 'dump.rdb')
  copyFileSync(dump, `${dump}.old`)
  seen.push(await orders.nextRange(USED))
  await own.kill()
  copyFileSync(`${dump}.old`, dump)
  await own.start()
  assert.equal(await own.call('HGET', 'kvid', 'orders'), '100')
  seen.push(await retry(() => orders.nextRange(10)))
  assert.ok(seen[2].start > seen[1].end + LEAST_JUMP)
  const { reason } = await heard.first('jumped')
  assert.match(reason, /restarted|went back/)
})

for (const kind of ['redis7', 'redis8', 'valkey9', 'kvrocks']) {
  test(`a restart makes even a process leap that saw nothing, on ${kind}`, async (t) => {
    const own = await ownServer(t, { kind })
    assert.equal(await told(own.url), '1')
    await own.call('SAVE')
    assert.equal(await told(own.url), '101')
    await own.kill()
    await own.start()
    // Of the second range the server knows nothing any more.
    const after = BigInt(await told(own.url))
    assert.ok(after > 200n + LEAST_JUMP, `${after}`)
    assert.equal(await told(own.url), String(after + 100n))
  })
}

test('a replica that is behind and promoted gives no id twice (case 16)', async (t) => {
  const own = await ownServer(t)
  const replica = await ownServer(t, { args: ['--replicaof', '127.0.0.1', String(own.port)] })
  const proxy = await proxyTo(t, own)
  const orders = idsOf(t, proxy.url).segment('orders', { lookahead: 0 })
  const heard = listen(orders)
  const first = await retry(() => orders.nextRange(100))
  assert.equal(await own.call('WAIT', 1, 5_000), 1n)
  // Cut off, it hears of nothing that is granted from now on.
  await replica.call('REPLICAOF', '127.0.0.1', 1)
  const { end } = await retry(() => orders.nextRange(2_000))
  await replica.call('REPLICAOF', 'NO', 'ONE')
  assert.equal(await replica.call('HGET', 'kvid', 'orders'), String(first.end - 1n))
  proxy.target(replica.port)
  proxy.reset()
  const { start } = await retry(() => orders.nextRange(10))
  assert.ok(start > end + LEAST_JUMP, `${start} after ${end}`)
  await heard.first('jumped')
})

test('a jump of one’s own is kept, and the largest that anybody gave', async (t) => {
  const own = await ownServer(t)
  const orders = idsOf(t, own.url, { jump: 1_000 }).segment('orders', { lookahead: 0 })
  const another = () => own.call('HSET', 'kvid', '#run:orders', 'another life|0|0|0')
  await orders.nextRange(100)
  await another()
  const { start, end } = await retry(() => orders.nextRange(1))
  assert.ok(start > 1_100n && start <= 2_101n, `${start}`)
  await another()
  const next = BigInt(await told(own.url, { jump: 1 }))
  assert.ok(next >= end + 1_000n && next <= end + 2_000n, `${next} after ${end}`)
})

test('a generator that is unknown is not created where that is forbidden', async (t) => {
  const own = await ownServer(t)
  const ids = idsOf(t, own.url, { allowCreate: false })
  for (let i = 0; i < 2; i++) {
    const { message, retryable } = await assertFails(() => ids.segment('orders').next(), MISSING)
    assert.equal(retryable, false)
    assert.match(message, /"orders" is unknown to store .*allowCreate: true/)
  }
  await ids.ready()
  assert.deepEqual(await countersOf(own), {})
})

test('a generator that is known is served where none may be created', async (t) => {
  const own = await ownServer(t)
  const first = createIds(own.url)
  await first.segment('orders').nextRange(100)
  await first.close()
  const ids = idsOf(t, own.url, { allowCreate: false })
  assert.deepEqual(await ids.segment('orders').nextRange(10), { start: 101n, end: 111n })
  await assertFails(() => ids.segment('bills').nextRange(10), MISSING)
})

/** What a process is told that has seen nothing yet. */
async function told(url, options) {
  const { stdout, stderr } = await inProcess(
    async ({ createIds }, { url, options }) => {
      const orders = createIds(url, options).segment('orders', { lookahead: 0 })
      const answer = orders.next().then(String, ({ code, message }) => `${code} ${message}`)
      console.log(await answer)
    },
    { url, options },
  )
  assert.equal(stderr, '')
  return stdout.trim()
}

test('a wipe is no first start for those who may not create (case 16)', async (t) => {
  const { own, orders } = await used(t, { allowCreate: true })
  await own.call('FLUSHALL')
  assert.match(await told(own.url, { allowCreate: false }), new RegExp(`^${MISSING} `))
  // Who has seen the counter repairs it, and who has not is served again.
  const { end } = await retry(() => orders.nextRange(10))
  assert.equal(await told(own.url, { allowCreate: false }), String(end))
})

test('a process that knows the counter repairs a wipe though it may not create', async (t) => {
  const own = await ownServer(t)
  const first = createIds(own.url)
  await first.segment('orders').nextRange(USED)
  await first.close()
  const orders = idsOf(t, own.url, { allowCreate: false }).segment('orders', { lookahead: 0 })
  await own.call('FLUSHALL')
  assert.ok((await retry(() => orders.nextRange(10))).start > BigInt(USED) + LEAST_JUMP)
})

test('a counter that was deleted is no new one for a process that saw nothing', async (t) => {
  const { own } = await used(t)
  await own.call('HDEL', 'kvid', 'orders')
  for (const allowCreate of [true, false]) {
    const answer = await told(own.url, { allowCreate })
    assert.match(answer, new RegExp(`^${WENT_BACK} .*knows "orders" and has no counter`))
  }
  assert.equal(await own.call('HGET', 'kvid', 'orders'), null)
})

test('a hash that older clients wrote is taken over, by one leap', async (t) => {
  const own = await ownServer(t)
  await own.call('HSET', 'kvid', 'orders', 5_000)
  const ids = idsOf(t, own.url)
  const orders = ids.segment('orders', { lookahead: 0 })
  const heard = listen(orders)
  const first = await orders.nextRange(100)
  assert.ok(first.start > 5_000n + LEAST_JUMP && first.start <= 5_001n + 2n * LEAST_JUMP)
  const { from, to } = await heard.first('jumped')
  assert.deepEqual([from, BigInt(to)], ['5000', first.start - 1n])
  assert.deepEqual(await orders.nextRange(100), { start: first.end, end: first.end + 100n })
  assert.deepEqual(heard.names(), ['jumped'])
  // Those clients go on, on the same counter.
  assert.equal(await own.call('HINCRBY', 'kvid', 'orders', 10), first.end + 109n)
})

test('clients that add to the counter themselves overlap with nobody', async (t) => {
  const own = await ownServer(t)
  const orders = idsOf(t, own.url).segment('orders', { lookahead: 0 })
  const taken = []
  const note = (start, size) => {
    for (let id = start; id < start + size; id++) taken.push(id)
  }
  const minting = (async () => {
    for (let i = 0; i < 200; i++) {
      note((await orders.nextRange(7)).start, 7n)
      taken.push(await orders.next())
    }
  })()
  const adding = (async () => {
    for (let i = 0; i < 200; i++) {
      note((await own.call('HINCRBY', 'kvid', 'orders', 10)) - 9n, 10n)
    }
  })()
  await Promise.all([minting, adding])
  assertDistinct(taken)
  assert.equal(taken.length, 200 * 18)
})

test('a key that was sealed serves what is in memory and then nothing (case 25)', async (t) => {
  const own = await ownServer(t)
  const ids = idsOf(t, own.url)
  const orders = ids.segment('orders', { step: 10, lookahead: 0 })
  await orders.ready({ count: 10 })
  await own.call('HSET', 'kvid', '#sealed:orders', 1)
  for (let id = 1n; id <= 10n; id++) assert.equal(await orders.next(), id)
  for (let i = 0; i < 3; i++) {
    for (const call of [() => orders.next(), () => orders.nextRange(5), () => orders.ready()]) {
      const { retryable } = await assertFails(call, SEALED)
      assert.equal(retryable, false)
    }
  }
  assert.equal(await own.call('HGET', 'kvid', 'orders'), '10')
  await assertFails(() => ids.floor('orders', 100n), SEALED)
  assert.deepEqual(await ids.list(), [{ key: 'orders', value: 10n, sealed: true }])
  assert.equal(await ids.segment('bills').next(), 1n)
  assert.match(await told(own.url, {}), new RegExp(`^${SEALED} `))
})

test('a key that was sealed before it was used grants nothing (case 25)', async (t) => {
  const own = await ownServer(t)
  await own.call('HSET', 'kvid', '#sealed:orders', 1)
  const ids = idsOf(t, own.url)
  await assertFails(() => ids.segment('orders').next(), SEALED)
  assert.deepEqual(await ids.list(), [{ key: 'orders', sealed: true }])
  assert.deepEqual(await countersOf(own), {})
})

test('a seal outlives a wipe in the process that met it', async (t) => {
  const own = await ownServer(t)
  const ids = idsOf(t, own.url)
  const orders = ids.segment('orders', { step: 10, lookahead: 0 })
  await orders.nextRange(10)
  await own.call('HSET', 'kvid', '#sealed:orders', 1)
  await assertFails(() => orders.next(), SEALED)
  await own.call('FLUSHALL')
  const { code } = await failureOf(() => orders.next())
  assert.equal(code, SEALED)
})
