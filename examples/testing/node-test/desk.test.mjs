import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestIds } from 'mintid/testing'
import { openDesk } from '../desk.cjs'

/** A desk on a store and a clock of its own. */
function setUp(t) {
  const { ids, store, clock } = createTestIds()
  t.after(() => ids.close())
  return { desk: openDesk(ids), store, clock }
}

test('tickets are numbered from 1', async (t) => {
  const { desk } = setUp(t)
  assert.deepEqual(await desk.sell('Ann'), { guest: 'Ann', ticket: '1' })
  assert.deepEqual(await desk.sell('Bob'), { guest: 'Bob', ticket: '2' })
})

test('guests come again while the store is away', async (t) => {
  const { desk, store, clock } = setUp(t)
  store.fail('the disk is full')
  assert.ok((await desk.sell('Ann')).sorry)
  store.recover()
  // The store is back, and is not asked again before its time.
  assert.ok((await desk.sell('Ann')).sorry)
  await clock.advance(100)
  assert.equal((await desk.sell('Ann')).ticket, '1')
})

test('a guest who waits for a store that hangs is told in time', async (t) => {
  const { desk, store, clock } = setUp(t)
  store.hang()
  const answer = desk.sell('Ann')
  await clock.advance(3_000)
  assert.ok((await answer).sorry)
})

test('no ticket is sold twice when a backup of the store is restored', async (t) => {
  const { desk, store } = setUp(t)
  const sold = new Set()
  for (let i = 0; i < 100; i++) sold.add((await desk.sell('Ann')).ticket)
  store.goBack('tickets', 50n)
  for (let i = 0; i < 200; i++) sold.add((await desk.sell('Bob')).ticket)
  assert.equal(sold.size, 300)
})
