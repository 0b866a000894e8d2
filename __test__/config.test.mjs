// A configuration: stores and generators as one object, checked as a whole.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createIds, defineConfig, load, MintIdError } from 'mintid'
import { assertFails } from './support/failure.mjs'
import { storeOf } from './support/folder.mjs'

/** The lines of what is wrong with a configuration. */
async function problemsOf(config) {
  const { message } = await assertFails(() => load(config), 'ERR_MINTID_CONFIG_INVALID')
  const [head, ...lines] = message.split('\n')
  assert.equal(head, 'the configuration cannot be used:')
  return lines.map((line) => line.trim())
}

test('each generator is of its kind, on its store, with its options', async (t) => {
  const { url } = storeOf(t)
  const config = defineConfig({
    store: url,
    namespace: 'shop',
    stores: { counters: 'memory:', archive: { url: 'memory:', namespace: 'old' } },
    generators: {
      orders: { step: 7 },
      users: { strategy: 'segment', store: 'counters', initialOffset: 50 },
      bills: { store: 'archive' },
      events: { strategy: 'snowflake', layout: 'jsSafe' },
    },
  })
  const ids = load(config)
  await ids.ready()
  assert.equal(await ids.get('orders').next(), 1n)
  assert.equal(ids.get('orders').describe().step, 7)
  assert.equal(ids.get('orders').describe().key, 'shop/orders')
  assert.equal(await ids.get('users').next(), 50n)
  assert.equal(ids.get('bills').describe().key, 'old/bills')
  const event = await ids.get('events').next()
  assert.ok(event < 2n ** 53n)
  assert.ok(ids.get('events').parse(event).timestamp instanceof Date)
  await ids.close()
  await ids.close()
  const again = createIds(url, { namespace: 'shop' })
  assert.deepEqual(await again.list('orders'), [{ key: 'shop/orders', value: 7n, sealed: false }])
  await again.close()
})

test('a configuration is the same counter as the calls', async (t) => {
  const { url } = storeOf(t)
  const ids = load({ store: url, generators: { orders: {} } })
  const other = createIds(url)
  const drawn = [await ids.get('orders').next(), await other.segment('orders').next()]
  assert.deepEqual(drawn, [1n, 2n])
  await ids.close()
  // The other handle goes on.
  assert.equal(await other.segment('orders').next(), 3n)
  await other.close()
})

test('a store of the user stands in it as any other', async () => {
  const store = { reserve: (_key, size, offset) => ({ start: offset, end: offset + size }) }
  const ids = load({ store, generators: { orders: { policy: 'fixed', step: 3 } } })
  assert.equal(await ids.get('orders').next(), 1n)
  await ids.close()
})

test('without a store MINTID_URL is read, if a generator needs it', async (t) => {
  const before = process.env.MINTID_URL
  t.after(() => {
    if (before === undefined) delete process.env.MINTID_URL
    else process.env.MINTID_URL = before
  })
  process.env.MINTID_URL = 'memory:'
  const ids = load({ generators: { orders: {} } })
  assert.equal(await ids.get('orders').next(), 1n)
  await ids.close()
  delete process.env.MINTID_URL
  const named = load({ stores: { db: 'memory:' }, generators: { orders: { store: 'db' } } })
  assert.equal(await named.get('orders').next(), 1n)
  await named.close()
  const [problem] = await problemsOf({ generators: { orders: {} } })
  assert.match(problem, /^store: url = undefined: .*MINTID_URL/)
})

test('all that is wrong is told at once, by its path', async () => {
  const problems = await problemsOf({
    namespace: 5,
    nameSpace: 'shop',
    stor: 'memory:',
    store: 'mongodb://localhost',
    stores: { db: 'memory:', other: 7 },
    generators: {
      orders: { step: 0, policy: 'fixed' },
      users: { stepp: 5 },
      events: { strategy: 'snowflakes' },
      bills: { store: 'dd', keep: -1 },
      clicks: 7,
      logs: { strategy: 'snowflake', layout: { machineBits: 30 } },
      'a/b': { store: 'db' },
    },
  })
  const starts = [
    'namespace = 5: expected text',
    'nameSpace = "shop": there is no such option: did you mean namespace?',
    'stor = "memory:": did you mean store?',
    'store: url = "mongodb://localhost": ',
    'stores.other: url = 7: ',
    'generators.orders.step = 0: ',
    'generators.users.stepp = 5: there is no such option: did you mean step?',
    'generators.events.strategy = "snowflakes": expected one of segment, snowflake',
    'generators.bills.store = "dd": there is no such store: did you mean db?',
    'generators.bills.keep = -1: ',
    'generators.clicks = 7: expected an object',
    'generators.logs.layout.machineBits = 30: ',
    'generators.a/b.',
  ]
  assert.deepEqual(
    starts.map((start) => problems.find((problem) => problem.startsWith(start)) ?? start),
    problems,
  )
})

for (const [what, config] of [
  ['nothing', undefined],
  ['null', null],
  ['a list', []],
  ['a URL', 'memory:'],
  ['no generators', { store: 'memory:' }],
  ['a list of generators', { store: 'memory:', generators: ['orders'] }],
]) {
  test(`${what} is no configuration`, async () => {
    assert.match((await problemsOf(config)).join(), /expected an object/)
  })
}

test('a name that there is not is told with the one that was meant', async () => {
  const ids = load({ store: 'memory:', generators: { orders: {} } })
  const { message } = await assertFails(() => ids.get('order'), 'ERR_MINTID_CONFIG_INVALID')
  assert.match(message, /^name = "order": there is no such generator: did you mean orders\?$/)
  for (const name of ['toString', '__proto__', '', 5]) {
    await assertFails(() => ids.get(name), 'ERR_MINTID_CONFIG_INVALID')
  }
  await ids.close()
})

test('health and events are those of all stores', async () => {
  const ids = load({
    store: 'memory:',
    stores: { db: 'memory:db' },
    generators: { orders: {}, users: { store: 'db' } },
  })
  const told = []
  const once = []
  const listener = ({ key }) => told.push(key)
  ids.on('refill', listener).once('refill', ({ key }) => once.push(key))
  await Promise.all([ids.get('orders').next(), ids.get('users').next()])
  while (told.length < 2) await new Promise(setImmediate)
  assert.deepEqual(told.toSorted(), ['orders', 'users'])
  assert.equal(once.length, 1)
  ids.off('refill', listener)
  const { ok, store, generators } = ids.health()
  assert.deepEqual([ok, store], [true, 'memory:, memory:db'])
  assert.deepEqual(
    generators.map(({ name }) => name),
    ['orders', 'users'],
  )
  await ids.close()
  await assertFails(() => ids.get('orders').next(), 'ERR_MINTID_CLOSED')
})

test('what is refused leaves nothing open', async () => {
  let closed = 0
  const store = {
    reserve: () => ({ start: 1n, end: 2n }),
    close: () => {
      closed += 1
    },
  }
  assert.throws(() => load({ store, generators: { orders: { step: 0 } } }), MintIdError)
  while (closed === 0) await new Promise(setImmediate)
  assert.equal(closed, 1)
})
