// The Nest module: where its options come from, what can be injected, and where it cannot.

import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { createIds, defineConfig, Ids, LoadedIds } from 'mintid'
import * as nest from 'mintid/nest'
import * as terminus from 'mintid/nest/terminus'
import { createTestIds } from 'mintid/testing'
import { temporaryFolder } from '../scripts/folder.mjs'
import { application, inMemory, moduleOf, provider } from './support/nest.mjs'

const require = createRequire(import.meta.url)
const { getGeneratorToken, getIdsToken, InjectGenerator, InjectIds, MintIdModule } = nest
const ORDERS = getGeneratorToken('orders')
const orders = MintIdModule.forFeature('orders')
const invalid = (pattern) => (error) => {
  assert.equal(error.code, 'ERR_MINTID_CONFIG_INVALID')
  assert.match(error.message, pattern)
  return true
}

/** What cannot be reached by a network, and is not asked unless somebody wants an id. */
const AWAY = 'redis://127.0.0.1:1'

class Options {
  createMintIdOptions() {
    return { store: 'memory:', namespace: 'shop' }
  }
}

test('import and require give the same objects', () => {
  for (const [name, imported] of [
    ['mintid/nest', nest],
    ['mintid/nest/terminus', terminus],
  ]) {
    const required = require(name)
    assert.deepEqual(Object.keys(imported).sort(), Object.keys(required).sort())
    for (const [key, value] of Object.entries(imported)) assert.equal(value, required[key])
  }
})

test('a generator and the ids can be injected by decorators, and the ids by their class', async (t) => {
  class Desk {
    constructor(orders, ids, same) {
      Object.assign(this, { orders, ids, same })
    }
  }
  provider(Desk, InjectGenerator('orders'), InjectIds(), getIdsToken())
  InjectGenerator('orders')(Desk.prototype, 'property')
  const app = await application(t, [
    inMemory(),
    moduleOf({ imports: [orders], providers: [Desk], exports: [Desk] }),
  ])
  const desk = app.get(Desk)
  assert.equal(await desk.orders.next(), 1n)
  assert.equal(await desk.property.next(), 2n)
  assert.equal(desk.ids, app.get(getIdsToken()))
  assert.equal(desk.ids, app.get(Ids))
})

test('two modules share the ids of one generator, on a file', async (t) => {
  const store = `sqlite:${join(temporaryFolder('nest'), 'ids.db')}`
  class One {
    constructor(generator) {
      this.generator = generator
    }
  }
  class Other extends One {}
  for (const type of [One, Other]) provider(type, InjectGenerator('orders'))
  const part = (type) =>
    moduleOf({ imports: [MintIdModule.forFeature('orders')], providers: [type], exports: [type] })
  const app = await application(t, [MintIdModule.forRoot({ store }), part(One), part(Other)])
  const generators = [app.get(One).generator, app.get(Other).generator]
  const ids = await Promise.all(
    Array.from({ length: 1000 }, (_, i) => generators[i % generators.length].next()),
  )
  assert.equal(new Set(ids).size, ids.length)
})

test('generators are of the kind and with the options that forFeature says', async (t) => {
  const feature = MintIdModule.forFeature(
    'orders',
    { name: 'users', initialOffset: 1000n, policy: 'fixed', step: 7 },
    { name: 'events', strategy: 'snowflake', machine: 5, firstStart: true },
  )
  const app = await application(t, [inMemory(), feature])
  const [plain, users, events] = ['orders', 'users', 'events'].map((name) =>
    app.get(getGeneratorToken(name), { strict: false }),
  )
  assert.equal(plain.describe().policy, 'lookahead')
  assert.equal(await users.next(), 1000n)
  assert.equal(users.describe().step, 7)
  assert.equal(events.parse(await events.next()).machine, 5)
})

for (const [form, options] of [
  [
    'useFactory',
    { inject: ['place'], useFactory: async (store) => ({ store, namespace: 'shop' }) },
  ],
  ['useClass', { useClass: Options }],
  ['useExisting', { useExisting: Options }],
]) {
  test(`the options come from ${form}`, async (t) => {
    const there = moduleOf({
      providers: [Options, { provide: 'place', useValue: 'memory:' }],
      exports: [Options, 'place'],
    })
    const app = await application(t, [
      MintIdModule.forRootAsync({ imports: [there], ...options }),
      orders,
    ])
    assert.equal(app.get(ORDERS, { strict: false }).describe().key, 'shop/orders')
  })
}

test('without a store MINTID_URL is taken, and nothing is guessed', async (t) => {
  const before = process.env.MINTID_URL
  t.after(() => {
    if (before === undefined) delete process.env.MINTID_URL
    else process.env.MINTID_URL = before
  })
  process.env.MINTID_URL = 'memory:nest-url'
  const app = await application(t, [MintIdModule.forRoot()])
  assert.equal(app.get(getIdsToken()).store, 'memory:nest-url')
  delete process.env.MINTID_URL
  for (const root of [
    MintIdModule.forRoot(),
    MintIdModule.forRootAsync({ useFactory: () => undefined }),
  ]) {
    await assert.rejects(application(t, [root]), invalid(/MINTID_URL/))
    // The failure is the same for those who want a generator.
    await assert.rejects(application(t, [orders, root]), invalid(/MINTID_URL/))
  }
})

test('options that cannot be used end the start', async (t) => {
  const start = (root, ...others) => application(t, [root, ...others])
  await assert.rejects(start(inMemory({ jumps: 1 })), invalid(/jumps.*did you mean jump/))
  const late = MintIdModule.forRootAsync({
    useFactory: () => ({ store: 'memory:', isGlobal: true }),
  })
  await assert.rejects(start(late), invalid(/isGlobal/))
  const kind = MintIdModule.forFeature({ name: 'orders', strategy: 'random' })
  await assert.rejects(start(inMemory(), kind), invalid(/strategy = "random": expected segment or/))
  const [seven, eight] = [7, 8].map((step) =>
    MintIdModule.forFeature({ name: 'orders', policy: 'fixed', step }),
  )
  await assert.rejects(start(inMemory(), seven, eight), invalid(/step/))
  await assert.rejects(start(inMemory({ waitForStore: 'yes' })), invalid(/waitForStore = "yes"/))
  assert.throws(() => inMemory({ isGlobal: 1 }), invalid(/isGlobal = 1: expected true or false/))
  assert.throws(() => MintIdModule.forRootAsync({}), invalid(/useFactory, useClass or useExisting/))
})

test('a store that is away does not keep an application from starting', async (t) => {
  const root = MintIdModule.forRoot({ store: AWAY })
  const app = await application(t, [
    root,
    MintIdModule.forFeature({ name: 'orders', reserveTimeout: 50 }),
  ])
  const error = await app
    .get(ORDERS, { strict: false })
    .next()
    .catch((error) => error)
  assert.equal(error.code, 'ERR_MINTID_RANGE_UNAVAILABLE')
})

test('unless it is to wait for the store', async (t) => {
  const root = MintIdModule.forRoot({ store: AWAY, waitForStore: true, connectTimeout: 100 })
  await assert.rejects(application(t, [root]), { code: 'ERR_MINTID_STORE_UNAVAILABLE' })
  const app = await application(t, [inMemory({ waitForStore: true }), orders])
  assert.equal(await app.get(ORDERS, { strict: false }).next(), 1n)
})

test('where no module of ids can be reached, the failure says what to do', async (t) => {
  const out = invalid(/forFeature\("orders"\): no MintIdModule.forRoot\(\) .*forFeature\({ imports/)
  await assert.rejects(application(t, [orders]), out)
  const local = moduleOf({ imports: [inMemory({ isGlobal: false })], exports: [MintIdModule] })
  await assert.rejects(application(t, [local, orders]), out)
  const app = await application(t, [
    local,
    MintIdModule.forFeature({ imports: [local] }, 'orders', { name: 'users' }),
  ])
  assert.equal(await app.get(ORDERS, { strict: false }).next(), 1n)
})

test('what forRootAsync injects has to be there', async (t) => {
  const root = MintIdModule.forRootAsync({ inject: ['missing'], useFactory: () => ({}) })
  await assert.rejects(application(t, [root]), /missing/)
  await assert.rejects(application(t, [orders, root]), /missing|what .* injects is not there/)
})

test('two modules of ids that are not global keep their stores apart', async (t) => {
  const [one, other] = ['one', 'other'].map((namespace) =>
    moduleOf({ imports: [inMemory({ isGlobal: false, namespace })], exports: [MintIdModule] }),
  )
  class Desk {
    constructor(orders) {
      this.orders = orders
    }
  }
  class Shop extends Desk {}
  const part = (type, root) =>
    moduleOf({
      imports: [MintIdModule.forFeature({ imports: [root] }, 'orders')],
      providers: [provider(type, InjectGenerator('orders'))],
      exports: [type],
    })
  const app = await application(t, [part(Desk, one), part(Shop, other)])
  assert.equal(app.get(Desk).orders.describe().key, 'one/orders')
  assert.equal(app.get(Shop).orders.describe().key, 'other/orders')
})

test('a test overrides a generator, or the ids, by their tokens', async (t) => {
  const imports = [MintIdModule.forRoot({ store: AWAY }), orders]
  const { ids, clock } = createTestIds()
  t.after(() => ids.close())
  const byIds = await application(t, imports, (builder) =>
    builder.overrideProvider(getIdsToken()).useValue(ids),
  )
  assert.equal(await byIds.get(ORDERS, { strict: false }).next(), 1n)
  const fake = { next: async () => 42n }
  const byGenerator = await application(t, imports, (builder) =>
    builder.overrideProvider(ORDERS).useValue(fake),
  )
  assert.equal(byGenerator.get(ORDERS, { strict: false }), fake)
  // What the module did not make it does not close.
  await byIds.close()
  await clock.advance(0)
  assert.equal(await ids.segment('orders').next(), 2n)
})

const config = defineConfig({
  store: 'memory:',
  stores: { events: 'memory:nest-events' },
  generators: {
    orders: { initialOffset: 5n },
    events: { strategy: 'snowflake', store: 'events', firstStart: true },
  },
})

test('the generators of a configuration can be injected', async (t) => {
  const app = await application(t, [MintIdModule.forRoot({ config })])
  assert.equal(await app.get(ORDERS).next(), 5n)
  assert.equal(typeof (await app.get(getGeneratorToken('events')).next()), 'bigint')
  const loaded = app.get(getIdsToken())
  assert.equal(loaded.get('orders'), app.get(ORDERS))
  assert.equal(app.get(LoadedIds), loaded)
  await app.close()
  await assert.rejects(loaded.get('orders').next(), { code: 'ERR_MINTID_CLOSED' })
})

test('options beside a configuration override it, also those that are known later', async (t) => {
  const app = await application(t, [
    MintIdModule.forRootAsync({ config, useFactory: () => ({ namespace: 'shop' }) }),
  ])
  assert.equal(app.get(ORDERS).describe().key, 'shop/orders')
  const same = await application(t, [MintIdModule.forRoot({ config, store: undefined })])
  assert.match(same.get(ORDERS).describe().store, /^memory:/)
})

test('a configuration names all generators, and fails with all that is wrong', async (t) => {
  const other = MintIdModule.forFeature('users')
  await assert.rejects(
    application(t, [MintIdModule.forRoot({ config }), other]),
    invalid(/forFeature\("users"\): .*configuration: name the generator there/),
  )
  const wrong = { store: 'memory:', generators: { orders: { steps: 1 }, users: { store: 'x' } } }
  await assert.rejects(
    application(t, [MintIdModule.forRoot({ config: wrong })]),
    invalid(/generators\.orders\.steps.*\n.*generators\.users\.store/),
  )
  await assert.rejects(
    application(t, [MintIdModule.forRoot({ config: {} })]),
    invalid(/generators = undefined/),
  )
})

test('an Ids of the caller and one of the module are one counter', async (t) => {
  const store = 'memory:nest-shared'
  const ids = createIds(store)
  t.after(() => ids.close())
  const app = await application(t, [MintIdModule.forRoot({ store }), orders])
  assert.equal(await app.get(ORDERS, { strict: false }).next(), 1n)
  assert.equal(await ids.segment('orders').next(), 2n)
})
