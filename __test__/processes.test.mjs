// Several processes and one file.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { inProcess } from './support/elsewhere.mjs'
import { storeOf } from './support/folder.mjs'
import { assertAddsUp, assertDistinct, assertGrowing } from './support/ids.mjs'

const PROCESSES = 4
const EACH = 20_000
const STEP = 500

async function mint({ createIds }, { count, step, file }) {
  const { writeFileSync } = await import('node:fs')
  const ids = createIds()
  const orders = ids.segment('orders', { policy: 'fixed', step })
  const minted = new BigUint64Array(count)
  for (let at = 0; at < count / 2; at++) minted[at] = await orders.next()
  await orders.fill(minted.subarray(count / 2))
  writeFileSync(file, minted)
  console.log(JSON.stringify(orders.stats()))
  await ids.close()
}

test('processes mint from one file, each id once and hardly any not at all', async (t) => {
  const { file, url } = storeOf(t)
  const files = Array.from({ length: PROCESSES }, (_, i) => join(dirname(file), `${i}.ids`))
  const ends = await Promise.all(
    files.map((file) => inProcess(mint, { count: EACH, step: STEP, file }, { MINTID_URL: url })),
  )
  const stats = ends.map(({ code, stdout, stderr }) => {
    assert.equal(code, 0, stderr)
    return JSON.parse(stdout)
  })
  const minted = files.map((file) => new BigUint64Array(Uint8Array.from(readFileSync(file)).buffer))
  for (const ids of minted) assertGrowing(ids)
  const all = minted.flatMap((ids) => [...ids])
  assert.equal(all.length, PROCESSES * EACH)
  assertDistinct(all)

  // Dense: every id up to the highest was reserved by somebody. A process may have had one more
  // reservation on its way when it counted.
  const sum = (name) => stats.reduce((total, each) => total + each[name], 0)
  assert.equal(sum('issued'), all.length)
  for (const each of stats) assertAddsUp(each)
  const sorted = BigUint64Array.from(all).sort()
  assert.equal(sorted[0], 1n)
  assert.ok(sorted.at(-1) <= sum('reserved') + PROCESSES * STEP)
})

test('processes that come at once create a counter once', async (t) => {
  const { url } = storeOf(t)
  const program = async ({ createIds }) => {
    console.log(String(await createIds().segment('orders', { initialOffset: 1000 }).next()))
  }
  const ends = await Promise.all(
    Array.from({ length: PROCESSES }, () => inProcess(program, null, { MINTID_URL: url })),
  )
  const firsts = ends.map(({ stdout }) => Number(stdout)).sort((a, b) => a - b)
  assert.deepEqual(firsts, [1000, 1100, 1200, 1300])
})
