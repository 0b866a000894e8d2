// A Redis that is frozen, gone, cut off or back: callers are told in time and all at once, it is
// not hammered, and it is found again without a restart.

import assert from 'node:assert/strict'
import { test as anyTest } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from 'mintid'
import { inProcess } from './support/elsewhere.mjs'
import { assertFails, failureOf } from './support/failure.mjs'
import { assertGrowing } from './support/ids.mjs'
import {
  assertUnavailable,
  endingServer,
  freshPort,
  idsOf,
  ownServer,
  proxyTo,
  within,
} from './support/redis.mjs'
import { retry, until } from './support/retry.mjs'
import { withoutServers } from './support/servers.mjs'

const test = (name, body) => anyTest(name, { skip: withoutServers }, body)

const RANGE_UNAVAILABLE = 'ERR_MINTID_RANGE_UNAVAILABLE'
const UNAVAILABLE = 'ERR_MINTID_STORE_UNAVAILABLE'
const RESERVE_MS = 3_000
/** Until when callers of a frozen server have to be told. */
const TOLD_MS = 4_000
/** Much less than anybody would wait for a server. */
const AT_ONCE_MS = 1_000
/** How soon a server that is back has to be found. */
const FOUND_MS = 2_000
const SERVED_MS = 5_000
const MOST_ATTEMPTS = 12

/** A server that has on its disk what it granted, when it is killed. */
const KEPT = { args: ['--appendonly', 'yes', '--appendfsync', 'always'] }

/** What a hundred calls are told, and when each of them was. */
function hundred(call) {
  const started = performance.now()
  const calls = Array.from({ length: 100 }, async () => {
    const cause = await assertUnavailable(call, UNAVAILABLE)
    return { cause, ms: performance.now() - started }
  })
  return Promise.all(calls)
}

function assertTogether(told, { least, most }) {
  const times = told.map(({ ms }) => ms)
  const [first, last] = [Math.min(...times), Math.max(...times)]
  assert.ok(first >= least && last <= most, `${first} to ${last} ms`)
  assert.ok(last - first <= AT_ONCE_MS, `${first} to ${last} ms`)
}

/** A server behind a proxy, and a generator on it that reserves for each call alone. */
async function behindProxy(t, options) {
  const own = await ownServer(t, options)
  const proxy = await proxyTo(t, own)
  const ids = idsOf(t, proxy.url)
  const orders = ids.segment('orders', { lookahead: 0 })
  await orders.nextRange(1)
  return { own, proxy, ids, orders }
}

test('a hundred callers of a frozen server give up together, and it is found (case 12)', async (t) => {
  const { own, proxy, orders } = await behindProxy(t)
  const { accepted } = proxy
  own.freeze()
  const told = await hundred(() => orders.next())
  // A timer may be a little early.
  assertTogether(told, { least: RESERVE_MS - 10, most: TOLD_MS })
  assert.ok(proxy.accepted - accepted <= MOST_ATTEMPTS, `${proxy.accepted - accepted} attempts`)
  // Until the retry time nobody waits for a server that is known to hang.
  await within(AT_ONCE_MS, () => assertUnavailable(() => orders.next(), UNAVAILABLE))
  own.thaw()
  assert.ok((await within(SERVED_MS, () => retry(() => orders.next()))) > 1n)
})

test('a hundred callers of a server that is gone are told at once (case 12)', async (t) => {
  const own = await ownServer(t, KEPT)
  const orders = idsOf(t, own.url).segment('orders', { lookahead: 0 })
  await orders.nextRange(1)
  await own.kill()
  assertTogether(await hundred(() => orders.next()), { least: 0, most: AT_ONCE_MS })
  await within(AT_ONCE_MS, () => assertUnavailable(() => orders.next(), UNAVAILABLE))
  await own.start()
  assert.ok((await within(SERVED_MS, () => retry(() => orders.next()))) > 1n)
})

test('a server that is gone is looked for a few times, whoever insists (case 14)', async (t) => {
  const { own, proxy, orders } = await behindProxy(t)
  const { accepted } = proxy
  const failures = []
  orders.on('refillFailed', ({ code }) => failures.push(code))
  await own.kill()
  const end = performance.now() + RESERVE_MS
  while (performance.now() < end) {
    await Promise.all(Array.from({ length: 8 }, () => failureOf(() => orders.next())))
    await sleep(5)
  }
  const attempts = proxy.accepted - accepted
  assert.ok(attempts >= 1 && attempts <= MOST_ATTEMPTS, `${attempts} attempts`)
  // One each for 0, 100, 300, 700, 1500 ms, and for as many connections that came to nothing.
  assert.ok(failures.length >= 1 && failures.length <= MOST_ATTEMPTS, `${failures.length} failures`)
  assert.deepEqual([...new Set(failures)], [UNAVAILABLE])
})

test('a server that accepts and ends is tried a dozen times in ten seconds (case 15)', async (t) => {
  const ending = await endingServer(t)
  const orders = idsOf(t, ending.url).segment('orders')
  const end = performance.now() + 10_000
  while (performance.now() < end) {
    await assertUnavailable(() => orders.next(), UNAVAILABLE)
    await sleep(20)
  }
  const { accepted } = ending
  assert.ok(accepted >= 2 && accepted <= MOST_ATTEMPTS, `${accepted} attempts`)
})

test('a server that is killed three times over is found each time', async (t) => {
  const own = await ownServer(t, KEPT)
  const ids = idsOf(t, own.url)
  const orders = ids.segment('orders', { lookahead: 0 })
  const seen = [await orders.next()]
  // After the longest time away the pauses between attempts are at their longest.
  for (const awayMs of [0, 500, 4_000]) {
    await own.kill()
    const end = performance.now() + awayMs
    do {
      await failureOf(() => orders.nextRange(1))
      await sleep(20)
    } while (performance.now() < end)
    assert.equal(ids.health().ok, false)
    await own.start()
    const { start } = await within(FOUND_MS, () => retry(() => orders.nextRange(1)))
    seen.push(start)
    assert.equal(ids.health().ok, true)
  }
  assertGrowing(seen)
})

test('ids in memory are served while the server is away', async (t) => {
  const own = await ownServer(t, KEPT)
  const orders = idsOf(t, own.url).segment('orders', { step: 1_000, lookahead: 0 })
  await orders.ready({ count: 1_000 })
  await own.kill()
  const seen = []
  while (seen.length < 1_000) seen.push(await within(AT_ONCE_MS, () => orders.next()))
  assert.deepEqual([seen[0], seen.at(-1)], [1n, 1_000n])
  assertGrowing(seen)
  await assertUnavailable(() => orders.next(), UNAVAILABLE)
})

test('a process that starts before its server is served once that is there', async (t) => {
  const port = await freshPort()
  const ids = idsOf(t, `redis://app:hunter2@127.0.0.1:${port}`)
  const orders = ids.segment('orders')
  for (const call of [() => ids.ready(), () => orders.ready()]) {
    const { message } = await assertFails(call, UNAVAILABLE)
    assert.ok(message.includes(`redis://app@127.0.0.1:${port}`), message)
    assert.ok(!message.includes('hunter2'), message)
  }
  const waiting = retry(() => orders.next())
  const own = await ownServer(t, { port, args: ['--user', 'app', 'on', '>hunter2', '~*', '+@all'] })
  assert.equal(await within(SERVED_MS, () => waiting), 1n)
  assert.equal(await own.call('HGET', 'kvid', 'orders'), '100')
  await within(AT_ONCE_MS, () => ids.ready())
})

for (const [what, urlOf] of [
  ['is not there', async () => `redis://127.0.0.1:${await freshPort()}`],
  [
    'hangs',
    async (t) => {
      const own = await ownServer(t)
      own.freeze()
      return own.url
    },
  ],
]) {
  test(`a process lives on whose server ${what} (case 13)`, async (t) => {
    const url = await urlOf(t)
    const run = await inProcess(async ({ connect, createIds }, url) => {
      const options = { connectTimeout: 500 }
      const first = await connect(url, options).catch(({ code }) => code)
      const orders = createIds(url, options).segment('orders', { reserveTimeout: 500 })
      const second = await orders.next().catch(({ cause }) => cause.code)
      console.log(first, second)
    }, url)
    const stdout = `${UNAVAILABLE} ${UNAVAILABLE}\n`
    assert.deepEqual(run, { code: 0, signal: null, stdout, stderr: '' })
  })
}

test('a program that forgets to close ends all the same', async (t) => {
  const own = await ownServer(t, KEPT)
  const run = await inProcess(async ({ createIds }, url) => {
    const orders = createIds(url).segment('orders')
    console.log(String(await orders.next()))
  }, own.url)
  assert.deepEqual(run, { code: 0, signal: null, stdout: '1\n', stderr: '' })
})

test('a hanging server fails a connect in time, and not the next one (case 13)', async (t) => {
  const own = await ownServer(t)
  own.freeze()
  const options = { connectTimeout: 500 }
  const { message } = await within(500 + AT_ONCE_MS, () =>
    assertFails(() => connect(own.url, options), UNAVAILABLE),
  )
  assert.ok(message.includes(own.url), message)
  own.thaw()
  const ids = await connect(own.url)
  t.after(() => ids.close())
  assert.equal(await ids.segment('orders').next(), 1n)
})

test('every call has an end while the server is frozen', async (t) => {
  const { own, ids, orders } = await behindProxy(t)
  own.freeze()
  const calls = {
    next: () => orders.next(),
    nextBatch: () => orders.nextBatch(10),
    nextRange: () => orders.nextRange(10),
    fill: () => orders.fill(new BigUint64Array(10)),
    ready: () => orders.ready(),
    floor: () => ids.floor('orders', 5n),
    list: () => ids.list(),
  }
  const ends = Object.entries(calls).map(async ([name, call]) => {
    const error = await within(SERVED_MS + AT_ONCE_MS, () => failureOf(call))
    const codes = [error.code, error.cause?.code]
    assert.ok(codes.includes(UNAVAILABLE), `${name}: ${error.stack}`)
  })
  const short = () => assertFails(() => orders.next({ timeoutMs: 100 }), RANGE_UNAVAILABLE)
  await within(100 + AT_ONCE_MS, short)
  await Promise.all(ends)
})

test('a black hole is left within reserveTimeout, and no caller is failed by it', async (t) => {
  const { proxy, orders } = await behindProxy(t)
  for (let round = 0; round < 3; round++) {
    proxy.blackhole()
    const seen = []
    let isOver = false
    const callers = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        seen.push((await within(RESERVE_MS, () => orders.nextRange(1))).start)
        isOver = seen.length >= 40
        await sleep(10)
      }
    })
    await Promise.all(callers)
    assert.equal(new Set(seen).size, seen.length)
  }
})

test('a black hole is left although new calls arrive all the time', async (t) => {
  const { proxy, orders } = await behindProxy(t)
  proxy.blackhole()
  const calls = []
  let served = 0
  const end = performance.now() + RESERVE_MS
  while (served === 0 && performance.now() < end) {
    const call = orders.nextRange(1).then(() => served++)
    calls.push(call)
    await sleep(50)
  }
  assert.ok(served > 0)
  await Promise.all(calls)
  assert.equal(served, calls.length)
})

test('answers that are lost on their way are gaps, and cost no caller an error', async (t) => {
  const { own, proxy, orders } = await behindProxy(t)
  const before = BigInt(await own.call('HGET', 'kvid', 'orders'))
  proxy.dropReplies(1)
  const { start } = await within(RESERVE_MS, () => orders.nextRange(10))
  assert.equal(start, before + 11n)
  proxy.reset()
  assert.equal((await within(RESERVE_MS, () => orders.nextRange(10))).start, start + 10n)
  assert.equal(await own.call('HGET', 'kvid', 'orders'), String(start + 19n))
})

test('a connection that the server ends for idling is no error for the next caller', async (t) => {
  const { proxy, ids, orders } = await behindProxy(t, { args: ['--timeout', '1'] })
  const failures = []
  ids.on('refillFailed', (told) => failures.push(told))
  const seen = []
  for (let round = 0; round < 3; round++) {
    await until(() => proxy.connections === 0)
    seen.push((await orders.nextRange(1)).start)
  }
  // There may be no connection again, and whoever asks for one waits.
  await ids.ready()
  assert.deepEqual(seen, [2n, 3n, 4n])
  assert.deepEqual(failures, [])
})

test('an idle process is connected again by itself', async (t) => {
  const { proxy } = await behindProxy(t)
  const { accepted } = proxy
  proxy.reset()
  await until(() => proxy.accepted > accepted)
})
