// `for await` over a generator.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createIds } from 'mintid'
import { assertFails } from './support/failure.mjs'

test('a loop gives ids until it is left, and then the next caller goes on', async () => {
  const orders = createIds('memory:').segment('orders')
  for (const first of [1n, 6n]) {
    let expected = first
    for await (const id of orders) {
      assert.equal(id, expected++)
      if (id === first + 4n) break
    }
  }
  assert.equal(await orders.next(), 11n)
})

test('loops over one generator share its ids', async () => {
  const orders = createIds('memory:').segment('orders')
  const minted = []
  const loop = async () => {
    for await (const id of orders) {
      minted.push(id)
      if (minted.length >= 1000) break
    }
  }
  await Promise.all([loop(), loop(), loop()])
  assert.equal(new Set(minted).size, minted.length)
})

test('a loop that always finds ids lets timers run', async () => {
  const orders = createIds('memory:').segment('orders', { step: 50_000 })
  await orders.ready({ count: 30_000 })
  let fired = false
  setTimeout(() => {
    fired = true
  }, 0)
  let count = 0
  for await (const _ of orders) {
    count++
    if (fired || count === 20_001) break
  }
  assert.ok(fired, `no timer ran within ${count} ids`)
})

test('a loop ends with the failure of its generator', async () => {
  const orders = createIds('memory:').segment('orders', { max: 3, step: 1 })
  const minted = []
  const loop = async () => {
    for await (const id of orders) minted.push(id)
  }
  await assertFails(loop, 'ERR_MINTID_RANGE_EXHAUSTED')
  assert.deepEqual(minted, [1n, 2n, 3n])
})

test('closing the handle ends a loop with CLOSED', async () => {
  const orders = createIds('memory:').segment('orders')
  const loop = async () => {
    for await (const id of orders) if (id === 5n) await orders.close()
  }
  await assertFails(loop, 'ERR_MINTID_CLOSED')
})
