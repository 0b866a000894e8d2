// A store that the user wrote, behind the generators: what it says is believed only where it can be.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createIds, MintIdError } from 'mintid'
import { assertFails, assertRefused, failureOf } from './support/failure.mjs'
import { assertGrowing } from './support/ids.mjs'
import { newTable, storeWith, TableStore } from './support/own-store.mjs'
import { retry, until } from './support/retry.mjs'

const WENT_BACK = 'ERR_MINTID_STORE_WENT_BACK'
const UNAVAILABLE = 'ERR_MINTID_RANGE_UNAVAILABLE'
const STORE_ERROR = 'ERR_MINTID_STORE_ERROR'

/** The generator `orders` of a store, which reserves ten ids at a time, and none ahead. */
function orders(t, store, options) {
  const ids = createIds(store)
  t.after(() => ids.close())
  return ids.segment('orders', { step: 10, lookahead: 0, ...options })
}

class AsyncStore extends TableStore {
  async reserve(...request) {
    await turn()
    return super.reserve(...request)
  }
}

/** What the next event of this name tells. */
const told = (ids, event) => new Promise((resolve) => ids.once(event, resolve))

/** Bounds as safe integers. */
class NumberStore extends TableStore {
  reserve(...request) {
    const { start, end } = super.reserve(...request)
    return { start: Number(start), end: Number(end) }
  }
}

for (const [what, Store] of Object.entries({
  'answers at once': TableStore,
  'answers later': AsyncStore,
  'answers numbers': NumberStore,
})) {
  test(`a store that ${what} is a store like any other`, async (t) => {
    const generator = orders(t, new Store())
    const minted = []
    for (let i = 0; i < 25; i++) minted.push(await generator.next())
    minted.push(...(await generator.nextBatch(25)))
    assert.equal(minted[0], 1n)
    assertGrowing(minted)
    const { start, end } = await generator.nextRange(100)
    assert.equal(end - start, 100n)
    assert.ok(start > minted.at(-1))
  })
}

test('a store is asked with the key, a size and the first id, as bigint', async (t) => {
  const asked = []
  const store = new TableStore()
  const reserve = (...request) => {
    asked.push(request)
    return store.reserve(...request)
  }
  const ids = createIds({ reserve }, { namespace: 'shop' })
  t.after(() => ids.close())
  assert.equal(await ids.segment('orders', { step: 10, initialOffset: 500 }).next(), 500n)
  assert.deepEqual(asked[0], ['shop/orders', 10n, 500n])
})

test('fewer ids than were asked for are believed', async (t) => {
  const store = new TableStore()
  const generator = orders(
    t,
    storeWith({ reserve: (key, _size, first) => store.reserve(key, 3n, first) }),
  )
  const minted = await generator.nextBatch(10)
  assertGrowing(minted)
  assert.equal(generator.stats().reserved, 12)
})

const THROWN = [
  [
    'throws',
    () => {
      throw new Error('out of order')
    },
    /store mine: reserve failed: out of order/,
  ],
  ['rejects', async () => Promise.reject(new Error('out of order')), /out of order/],
  [
    'throws text',
    () => {
      throw 'out of order'
    },
    /reserve failed: "out of order"/,
  ],
  [
    'throws what cannot be looked at',
    () => {
      throw new Proxy(
        {},
        {
          get() {
            throw new Error('hands off')
          },
        },
      )
    },
    /reserve failed: something/,
  ],
  [
    'throws a code of its own',
    () => {
      throw Object.assign(new Error('no route'), { code: 'ECONNREFUSED' })
    },
    /reserve failed: no route/,
  ],
]

const BAD = [
  ['answers nothing', () => undefined, /reserve answered undefined: expected \{ start, end \}/],
  ['answers null', () => null, /reserve answered null/],
  ['answers text', () => '1-10', /reserve answered "1-10"/],
  ['leaves out a bound', () => ({ start: 1n }), /\{ start: 1n, end: undefined \}/],
  ['answers a fraction', () => ({ start: 1, end: 10.5 }), /end: 10.5 \}/],
  ['answers an unsafe number', () => ({ start: 1, end: 2 ** 53 }), /end: 9007199254740992 \}/],
  ['answers NaN', () => ({ start: Number.NaN, end: 5 }), /start: NaN/],
  ['answers below 0', () => ({ start: -5n, end: 5n }), /start: -5n/],
  ['answers beyond 64 bits', () => ({ start: 1n, end: 2n ** 64n + 5n }), /end: 184\d+n/],
  ['answers text as bounds', () => ({ start: '1', end: '11' }), /start: "1"/],
  ['answers an empty range', () => ({ start: 5n, end: 5n }), /answered \[5, 5\).* holds no id/],
  ['answers a reversed range', () => ({ start: 9n, end: 1n }), /answered \[9, 1\).* holds no id/],
  ['answers too many ids', () => ({ start: 1n, end: 12n }), /more than the 10 ids/],
  ['answers below the first id', () => ({ start: 0n, end: 5n }), /below initialOffset = 1/],
]

for (const [what, reserve, message] of [...THROWN, ...BAD]) {
  test(`a store that ${what} fails its callers, and is asked again`, async (t) => {
    const generator = orders(t, { name: 'mine', reserve })
    const error = await assertFails(() => generator.next(), UNAVAILABLE)
    assert.equal(error.retryable, true)
    assert.equal(error.cause.code, STORE_ERROR)
    assert.match(error.message, message)
    assert.match(error.message, /store mine/)
    assert.doesNotMatch(error.message, /\n/)
    await until(() => {
      generator.tryNext()
      return generator.stats().failures >= 2
    })
    assert.equal(generator.stats().reserved, 0)
  })
}

test('a store that fails once serves afterwards', async (t) => {
  let isAway = true
  const store = new TableStore()
  const generator = orders(t, {
    reserve: (...request) => {
      if (isAway) throw new Error('away')
      return store.reserve(...request)
    },
  })
  await assertFails(() => generator.next(), UNAVAILABLE)
  isAway = false
  assert.equal(await retry(() => generator.next()), 1n)
})

for (const code of ['RANGE_SEALED', 'RANGE_EXHAUSTED', 'RANGE_MISSING']) {
  test(`an error of the store with the code ${code} is final`, async (t) => {
    let calls = 0
    const generator = orders(t, {
      name: 'mine',
      async reserve() {
        calls += 1
        throw Object.assign(new Error('the year is over'), { code: `ERR_MINTID_${code}` })
      },
    })
    const error = await assertFails(() => generator.next(), `ERR_MINTID_${code}`)
    assert.equal(error.retryable, false)
    assert.match(error.message, /store mine refused: the year is over/)
    await assertFails(() => generator.next(), `ERR_MINTID_${code}`)
    assert.equal(calls, 1)
  })
}

test("other codes of ours are not the store's to give", async (t) => {
  const generator = orders(t, {
    reserve() {
      throw Object.assign(new Error('no'), { code: 'ERR_MINTID_CLOSED' })
    },
  })
  await assertFails(() => generator.next(), UNAVAILABLE)
})

test('a range beyond max ends the generator, and is not minted from', async (t) => {
  const generator = orders(t, new TableStore(), { max: 15 })
  const minted = await generator.nextBatch(10)
  assert.equal(minted.at(-1), 10n)
  const error = await assertFails(() => generator.next(), 'ERR_MINTID_RANGE_EXHAUSTED')
  assert.match(error.message, /10 more ids after 10 would pass max = 15/)
})

test('a store that never answers costs a caller no more than its patience', async (t) => {
  const generator = orders(t, storeWith({ reserve: () => new Promise(() => {}) }), {
    reserveTimeout: 100,
  })
  const error = await assertFails(() => generator.next(), UNAVAILABLE)
  assert.match(error.message, /100 ms/)
})

test('an answer that comes too late is used all the same', async (t) => {
  const store = new TableStore()
  const gates = []
  const generator = orders(
    t,
    storeWith({
      async reserve(...request) {
        const range = store.reserve(...request)
        if (gates.length === 0) await new Promise((open) => gates.push(open))
        return range
      },
    }),
    { reserveTimeout: 100 },
  )
  await assertFails(() => generator.next(), UNAVAILABLE)
  gates[0]()
  assert.equal(await retry(() => generator.next()), 1n)
})

/** A generator whose store forgets, once ten of its ids have been used. */
async function wentBack(t, Store, options) {
  const table = newTable()
  const store = new Store(table)
  const ids = createIds(store, options)
  t.after(() => ids.close())
  const generator = ids.segment('orders', { step: 10, lookahead: 0 })
  await generator.nextBatch(10)
  table.last.clear()
  return { ids, generator, table }
}

class WithoutRaise extends TableStore {
  raise = undefined
}

test('a store that went back is raised by its own method, and served above all ids', async (t) => {
  const { ids, generator } = await wentBack(t, TableStore)
  const [wentBackTold, jumped] = [told(ids, 'storeWentBack'), told(ids, 'jumped')]
  assert.ok((await retry(() => generator.next())) > 10n)
  const { message } = await wentBackTold
  assert.match(message, /"orders" stood at 0 and was raised to \d+/)
  const { key, from, to } = await jumped
  assert.deepEqual([key, from], ['orders', '0'])
  assert.ok(BigInt(to) > 10n)
})

for (const [what, Store, options] of [
  ['without raise', WithoutRaise, {}],
  ['that may not be repaired', TableStore, { repair: false }],
]) {
  test(`a store ${what} that went back serves no id until it is raised`, async (t) => {
    const { generator, table } = await wentBack(t, Store, options)
    const error = await assertFails(() => generator.next(), WENT_BACK)
    assert.match(error.message, /granted \[1, 11\) for "orders" after this process had seen 10/)
    assert.match(error.message, /raise the counter above 10/)
    table.last.set('orders', 10n)
    assert.equal(await retry(() => generator.next()), 11n)
  })
}

test('a range that overlaps one before is never minted from', async (t) => {
  const answers = [
    { start: 1n, end: 11n },
    { start: 6n, end: 16n },
    { start: 11n, end: 21n },
  ]
  const generator = orders(t, { reserve: () => answers.shift() })
  await generator.nextBatch(10)
  await assertFails(() => generator.next(), WENT_BACK)
  assert.equal(await retry(() => generator.next()), 11n)
})

test('what was seen of a store is remembered after everything on it was closed', async () => {
  const table = newTable()
  const store = new WithoutRaise(table)
  const first = createIds(store)
  await first.segment('orders').next()
  await first.close()
  table.last.clear()
  const second = createIds(store)
  await assertFails(() => second.segment('orders').next(), WENT_BACK)
  await second.close()
})

test('two createIds on one object share its generators, and close it once', async () => {
  let closed = 0
  const store = Object.assign(new TableStore(), {
    close() {
      closed += 1
    },
  })
  const [one, two] = [createIds(store), createIds(store)]
  const [here, there] = [one.segment('orders'), two.segment('orders')]
  assert.deepEqual([await here.next(), await there.next(), await here.next()], [1n, 2n, 3n])
  await one.close()
  assert.equal(closed, 0)
  assert.equal(await there.next(), 4n)
  await two.close()
  assert.equal(closed, 1)
  // Its owner may use it on: it is then opened anew, and closed once more.
  const again = createIds(store)
  assert.ok((await again.segment('orders').next()) > 4n)
  await again.close()
  assert.equal(closed, 2)
})

test('another option on the same object is refused', async (t) => {
  const store = new TableStore()
  const ids = createIds(store, { jump: 500 })
  t.after(() => ids.close())
  const error = await assertFails(
    () => createIds(store, { jump: 600 }),
    'ERR_MINTID_CONFIG_INVALID',
  )
  assert.match(error.message, /jump.*600.*500|jump.*500.*600/)
})

test('two objects on one table are two processes', async (t) => {
  const table = newTable()
  const [one, two] = [orders(t, new TableStore(table)), orders(t, new TableStore(table))]
  assert.equal(await one.next(), 1n)
  assert.equal(await two.next(), 11n)
})

test('a close that fails rejects close, and it is closed all the same', async () => {
  const ids = createIds(
    storeWith({
      name: 'mine',
      async close() {
        throw new Error('still busy')
      },
    }),
  )
  const error = await assertFails(() => ids.close(), STORE_ERROR)
  assert.match(error.message, /store mine: close failed: still busy/)
})

test('floor is raise, where the store has it', async (t) => {
  const ids = createIds(new TableStore())
  t.after(() => ids.close())
  await ids.floor('orders', 1000n)
  assert.equal(await ids.segment('orders').next(), 1001n)
})

test('what the store has no method for is refused for good', async (t) => {
  const ids = createIds(storeWith({ name: 'mine' }))
  t.after(() => ids.close())
  for (const [method, call] of [
    ['raise', () => ids.floor('orders', 5n)],
    ['list', () => ids.list()],
  ]) {
    const error = await assertFails(call, 'ERR_MINTID_CONFIG_INVALID')
    assert.equal(error.message, `store = mine: it has no method ${method}, which this call needs`)
  }
})

test('an object without reserve is no store', async () => {
  await assertRefused(
    () => createIds({}),
    'store',
    {},
    'a method reserve(key, size, initialOffset)',
  )
})

test('events tell of a store by its name', async (t) => {
  const store = Object.assign(new TableStore(), { name: 'mine' })
  const ids = createIds(store)
  t.after(() => ids.close())
  assert.equal(ids.store, 'mine')
  const refill = told(ids, 'refill')
  await ids.segment('orders', { step: 10 }).next()
  const { store: name, key, start, end } = await refill
  assert.deepEqual([name, key, start, end], ['mine', 'orders', '1', '11'])
})

test('a failure is told as well, of a store that has no name', async (t) => {
  const failing = createIds({ reserve: () => Promise.reject(new Error('away')) })
  t.after(() => failing.close())
  const failed = told(failing, 'refillFailed')
  const error = await failureOf(() => failing.segment('orders').next())
  assert.ok(error instanceof MintIdError)
  const { store, code, message } = await failed
  assert.deepEqual([store, code], ['a store of your own', STORE_ERROR])
  assert.match(message, /away/)
})
