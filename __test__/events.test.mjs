// What happens in the background, for those who listen; and nothing for those who do not.

import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { test } from 'node:test'
import { createIds } from 'mintid'
import { inProcess } from './support/elsewhere.mjs'
import { failureOf } from './support/failure.mjs'
import { storeOf } from './support/folder.mjs'

/** A store that counts on from 1, and fails as often as it is told. */
function counter() {
  let last = 0n
  const store = {
    name: 'counter',
    failing: 0,
    reserve(_key, size) {
      if (store.failing > 0) {
        store.failing--
        throw new Error('no such luck')
      }
      const start = last + 1n
      last += size
      return { start, end: last + 1n }
    },
    back(value) {
      last = value
    },
    raise(_key, value) {
      if (last < value) last = value
    },
  }
  return store
}

/** An event that has not come by then will not come. */
const LONGEST_WAIT_MS = 20_000

/** The first event of a kind that an emitter tells. Events hold no event loop, so this does. */
function told(emitter, name) {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no event ${name}`))
    const timer = setTimeout(late, LONGEST_WAIT_MS)
    emitter.once(name, (event) => {
      clearTimeout(timer)
      resolve(event)
    })
  })
}

test('a refill is told to the generator, to its store and to the channel', async () => {
  const ids = createIds(counter())
  const orders = ids.segment('orders')
  const others = ids.segment('others')
  others.on('refill', () => assert.fail('told of another generator'))
  const seen = []
  const onChannel = (message) => seen.push(message)
  subscribe('mintid:refill', onChannel)
  const all = Promise.all([told(orders, 'refill'), told(ids, 'refill')])
  await orders.next()
  const [own, ofStore] = await all
  unsubscribe('mintid:refill', onChannel)
  const { elapsedMs, ...rest } = own
  assert.deepEqual(rest, { key: 'orders', store: 'counter', start: '1', end: '101' })
  assert.equal(typeof elapsedMs, 'number')
  assert.deepEqual(ofStore, own)
  assert.deepEqual(seen, [own])
})

test('a channel that is subscribed to late is told of what follows', async () => {
  const { code, stdout, stderr } = await inProcess(async ({ createIds }) => {
    const { subscribe } = await import('node:diagnostics_channel')
    const orders = createIds('memory:').segment('orders')
    await orders.nextBatch(150)
    const second = new Promise((resolve) => subscribe('mintid:refill', resolve))
    await orders.nextBatch(150)
    // An event holds no event loop; this does, for long enough.
    const timer = setTimeout(() => console.log('not told'), 10_000)
    console.log((await second).start)
    clearTimeout(timer)
  })
  assert.deepEqual([code, stdout], [0, '201\n'], stderr)
})

test('a failure is told once per attempt, and a listener that throws harms nobody', async () => {
  const store = counter()
  store.failing = 1
  const ids = createIds(store)
  const orders = ids.segment('orders')
  const failures = []
  orders.on('refillFailed', () => {
    throw new Error('a listener of the user')
  })
  orders.on('refillFailed', (failure) => failures.push(failure))
  const errors = await Promise.all(
    Array.from({ length: 100 }, () => failureOf(() => orders.next())),
  )
  assert.equal(new Set(errors).size, 100, 'an error for each caller')
  assert.ok(errors.every((error) => error.code === 'ERR_MINTID_RANGE_UNAVAILABLE'))
  const refilled = told(orders, 'refill')
  while ((await orders.next().catch(() => undefined)) === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await refilled
  assert.deepEqual(failures, [
    {
      key: 'orders',
      store: 'counter',
      code: 'ERR_MINTID_STORE_ERROR',
      message: 'store counter: reserve failed: no such luck',
    },
  ])
})

test('a store that went back is told, with the jump above everything seen', async () => {
  const store = counter()
  const ids = createIds(store, { jump: 1000 })
  const orders = ids.segment('orders', { policy: 'fixed', step: 10 })
  await orders.nextBatch(10)
  store.back(0n)
  const events = Promise.all([told(orders, 'storeWentBack'), told(orders, 'jumped')])
  const [next] = await orders.nextBatch(20)
  const [back, jumped] = await events
  assert.match(back.message, /"orders" stood at 0 and was raised to \d+/)
  assert.equal(jumped.from, '0')
  assert.equal(jumped.reason, 'the store went back')
  assert.ok(BigInt(jumped.to) > 1000n)
  assert.ok(next > 10n)
})

test('the end that comes near is told once, and a close by its handle', async () => {
  const orders = createIds(counter()).segment('orders', { max: 1000, step: 100, lookahead: 0 })
  const near = []
  orders.on('nearEnd', (event) => near.push(event))
  const closed = told(orders, 'close')
  for (let i = 0; i < 10; i++) await orders.nextBatch(100)
  await orders.close()
  assert.deepEqual(await closed, { key: 'orders', store: 'counter' })
  assert.deepEqual(near, [{ key: 'orders', store: 'counter', last: '800', max: '1000' }])
})

test('a new file is told as such, and a new generator in it as that', async (t) => {
  const { url } = storeOf(t)
  const ids = createIds(url)
  const first = told(ids, 'created')
  await ids.segment('a').next()
  assert.deepEqual(await first, { key: 'a', store: url, what: 'store' })
  const second = told(ids, 'created')
  await ids.segment('b').next()
  assert.deepEqual(await second, { key: 'b', store: url, what: 'generator' })
  await ids.close()
})

test('no listener can change what the others are told', async () => {
  const orders = createIds(counter()).segment('orders')
  orders.on('refill', (event) => {
    event.key = 'changed'
  })
  const second = told(orders, 'refill')
  await orders.next()
  assert.equal((await second).key, 'orders')
})

test('a listener that was taken off is told nothing', async () => {
  const orders = createIds(counter()).segment('orders')
  const listener = () => assert.fail('told after off')
  orders.on('refill', listener).off('refill', listener)
  const refilled = told(orders, 'refill')
  await orders.next()
  await refilled
  for (const bad of ['refills', undefined]) {
    assert.throws(() => orders.on(bad, () => {}), /there is no event/)
  }
  assert.throws(() => orders.on('refill', 'x'), /a listener is a function/)
})

test('a logger is given every event at its level', async () => {
  const store = counter()
  store.failing = 1
  const logged = []
  const at = (level) => (details, message) => logged.push([level, message, details.key])
  const logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
  const ids = createIds(store, { logger })
  const orders = ids.segment('orders')
  const failed = told(orders, 'refillFailed')
  await failureOf(() => orders.next())
  await failed
  assert.deepEqual(logged, [['warn', 'mintid refillFailed', 'orders']])
})

test('without a listener a failure in the background neither crashes nor is printed', async () => {
  const { code, stdout, stderr } = await inProcess(async ({ createIds }) => {
    const fail = () => Promise.reject(new Error('away'))
    const orders = createIds({ reserve: fail }).segment('orders')
    orders.tryNext()
    await orders.next().catch((error) => console.log(error.code))
  })
  assert.deepEqual([code, stdout, stderr], [0, 'ERR_MINTID_RANGE_UNAVAILABLE\n', ''])
})

test('NODE_DEBUG=mintid prints what happens', async () => {
  const program = async ({ createIds }) => {
    const orders = createIds('memory:').segment('orders')
    await orders.next()
    // Until the event has arrived, which holds no event loop by itself.
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  const { code, stderr } = await inProcess(program, {}, { NODE_DEBUG: 'mintid' })
  assert.equal(code, 0)
  assert.match(stderr, /MINTID \d+: refill \{[\s\S]*key: 'orders'/)
})

test('listeners hold no event loop, and worker threads have their own', async (t) => {
  const { url } = storeOf(t)
  const { code, stdout } = await inProcess(
    async ({ createIds }, { url }) => {
      const ids = createIds(url)
      ids.on('refill', () => console.log('refill'))
      await ids.segment('orders').next()
      await new Promise((resolve) => setTimeout(resolve, 100))
    },
    { url },
  )
  assert.deepEqual([code, stdout], [0, 'refill\n'])
})

test('an emitter of events survives a thousand listeners that come and go', async () => {
  const orders = createIds(counter()).segment('orders')
  for (let i = 0; i < 1000; i++) {
    const listener = () => assert.fail('told after off')
    orders.on('refill', listener)
    orders.off('refill', listener)
  }
  const refilled = told(orders, 'refill')
  await orders.next()
  await refilled
  await orders.close()
})
