// A file that remembers less than this process has seen: nothing is served twice.

import assert from 'node:assert/strict'
import { copyFileSync, renameSync, rmSync } from 'node:fs'
import { test } from 'node:test'
import { createIds } from 'mintid'
import { assertFails, failureOf } from './support/failure.mjs'
import { storeOf } from './support/folder.mjs'
import { retry, until } from './support/retry.mjs'

const WENT_BACK = 'ERR_MINTID_STORE_WENT_BACK'

const remove = (file) => {
  for (const suffix of ['', '-wal', '-shm']) rmSync(file + suffix, { force: true })
}

const LOSSES = {
  deleted: { lose: remove },
  'replaced by an older copy': {
    keep: (file) => copyFileSync(file, `${file}.old`),
    lose: (file) => {
      remove(file)
      renameSync(`${file}.old`, file)
    },
  },
}

/** A generator with ids in memory of which its file knows nothing after `lose`. */
async function ahead(t, { keep, lose }, options) {
  const { file, url } = storeOf(t)
  const before = createIds(url)
  await before.segment('orders').next()
  await before.close()
  keep?.(file)
  const ids = createIds(url, options)
  // Without lookahead no refill is under way when the file is lost.
  const orders = ids.segment('orders', { step: 10, lookahead: 0 })
  await orders.nextBatch(1000)
  await orders.ready()
  lose(file)
  return { ids, orders }
}

/** The last id in memory, and the failure of the call behind it. */
async function endOfMemory(orders) {
  let last
  for (let { remaining } = orders.stats(); remaining > 0; remaining--) last = await orders.next()
  return { last, error: await failureOf(() => orders.next()) }
}

for (const [what, loss] of Object.entries(LOSSES)) {
  test(`a file that was ${what} while open is noticed, and its counter raised`, async (t) => {
    const { ids, orders } = await ahead(t, loss)
    const { last, error } = await endOfMemory(orders)
    assert.equal(error.code, WENT_BACK)
    assert.equal(error.retryable, true)
    assert.match(error.message, /replaced or deleted/)
    const next = await retry(() => orders.next())
    assert.ok(next > last, `${next} after ${last}`)
    await ids.close()
  })

  test(`a file that was ${what} while open is served no more without repair`, async (t) => {
    const { ids, orders } = await ahead(t, loss, { repair: false })
    const { error } = await endOfMemory(orders)
    assert.equal(error.code, WENT_BACK)
    const { failures } = orders.stats()
    await until(() => {
      orders.tryNext()
      return orders.stats().failures >= failures + 2
    })
    await assertFails(() => orders.next(), WENT_BACK)
    await ids.close()
  })
}

test('a file that was deleted between two openings is noticed all the same', async (t) => {
  const { file, url } = storeOf(t)
  const minted = []
  for (let opening = 0; opening < 3; opening++) {
    const ids = createIds(url)
    const orders = ids.segment('orders')
    minted.push(await retry(() => orders.next()))
    await ids.close()
    remove(file)
  }
  assert.ok(minted[0] < minted[1] && minted[1] < minted[2], minted.join())
})
