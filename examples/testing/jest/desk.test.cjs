const { createTestIds } = require('mintid/testing')
const { openDesk } = require('../desk.cjs')

let ids
afterEach(() => ids.close())

/** A desk on a store and a clock of its own. */
function setUp() {
  const bench = createTestIds()
  ids = bench.ids
  return { ...bench, desk: openDesk(ids) }
}

test('tickets are numbered from 1', async () => {
  const { desk } = setUp()
  expect(await desk.sell('Ann')).toEqual({ guest: 'Ann', ticket: '1' })
  expect(await desk.sell('Bob')).toEqual({ guest: 'Bob', ticket: '2' })
})

test('guests come again while the store is away', async () => {
  const { desk, store, clock } = setUp()
  store.fail('the disk is full')
  expect(await desk.sell('Ann')).toHaveProperty('sorry')
  store.recover()
  // The store is back, and is not asked again before its time.
  expect(await desk.sell('Ann')).toHaveProperty('sorry')
  await clock.advance(100)
  expect((await desk.sell('Ann')).ticket).toBe('1')
})

test('a guest who waits for a store that hangs is told in time', async () => {
  const { desk, store, clock } = setUp()
  store.hang()
  const answer = desk.sell('Ann')
  await clock.advance(3_000)
  expect(await answer).toHaveProperty('sorry')
})

test('no ticket is sold twice when a backup of the store is restored', async () => {
  const { desk, store } = setUp()
  const sold = new Set()
  for (let i = 0; i < 100; i++) sold.add((await desk.sell('Ann')).ticket)
  store.goBack('tickets', 50n)
  for (let i = 0; i < 200; i++) sold.add((await desk.sell('Bob')).ticket)
  expect(sold.size).toBe(300)
})
