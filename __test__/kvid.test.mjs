// Generators as constants: made before the process has a store, and one counter everywhere.

import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createIds, KvId } from 'mintid'
import { inProcess } from './support/elsewhere.mjs'
import { assertFails, assertRefused } from './support/failure.mjs'
import { folderOf, storeOf } from './support/folder.mjs'
import { assertDistinct } from './support/ids.mjs'

/** Runs `body` in a process of its own, because a process is given one store for good. */
async function resultIn(body, data) {
  const { code, stdout, stderr } = await inProcess(body, data)
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

test('a constant is refused by name before init, and serves after it', async (t) => {
  const { url } = storeOf(t)
  const result = await resultIn(
    async ({ KvId, init }, { url }) => {
      const order = new KvId('order')
      const before = await order.next().catch((error) => [error.code, error.message])
      const sync = (() => {
        try {
          order.nextSync()
        } catch (error) {
          return error.code
        }
      })()
      init(url)
      const ids = [String(await order.next()), await order.nextText()]
      console.log(JSON.stringify({ before, sync, ids, policy: order.describe().policy }))
    },
    { url },
  )
  assert.deepEqual(result, {
    before: ['ERR_MINTID_NOT_CONNECTED', '"order" has no store yet: call init with a URL first'],
    sync: 'ERR_MINTID_NOT_CONNECTED',
    ids: ['1', '2'],
    policy: 'proportional',
  })
})

test('one counter from a module constant in ESM, CommonJS and four worker threads', async (t) => {
  const { url } = storeOf(t)
  const folder = folderOf(t)
  const esm = join(folder, 'order.mjs')
  const cjs = join(folder, 'order.cjs')
  const entry = import.meta.resolve('mintid')
  const required = new URL('./index.js', entry).pathname
  writeFileSync(esm, `import { KvId } from '${entry}'\nexport const ORDER = new KvId('order')\n`)
  writeFileSync(
    cjs,
    `const { KvId } = require(${JSON.stringify(required)})\nexports.ORDER = new KvId('order')\n`,
  )
  const result = await resultIn(
    async ({ init }, { url, esm, cjs, entry }) => {
      const { createRequire } = await import('node:module')
      const { Worker } = await import('node:worker_threads')
      const { once } = await import('node:events')
      const constants = [(await import(esm)).ORDER, createRequire(esm)(cjs).ORDER]
      init(url)
      const source = `
        const { parentPort } = require('node:worker_threads')
        import('${entry}').then(async ({ KvId }) => {
          const order = new KvId('order')
          const ids = []
          for (let i = 0; i < 5000; i++) ids.push(String(await order.next()))
          parentPort.postMessage(ids)
        })`
      const workers = Array.from(
        { length: 4 },
        () => new Worker(source, { eval: true, execArgv: [] }),
      )
      const ids = []
      for (let i = 0; i < 5000; i++)
        for (const order of constants) ids.push(String(await order.next()))
      for (const [answer] of await Promise.all(workers.map((worker) => once(worker, 'message')))) {
        ids.push(...answer)
      }
      const generators = init(url).health().generators.length
      console.log(JSON.stringify({ ids, generators }))
    },
    { url, esm, cjs, entry },
  )
  assert.equal(result.ids.length, 30_000)
  assertDistinct(result.ids)
  assert.equal(result.generators, 1)
})

test('a constant and a segment of one name are one counter, whoever chose the policy', async (t) => {
  const { url } = storeOf(t)
  const result = await resultIn(
    async ({ KvId, init }, { url }) => {
      const ids = init(url)
      const [a, b] = [ids.segment('a'), new KvId('a')]
      // A constant takes part from its first call on.
      const d = new KvId('b')
      const first = await d.next()
      const c = ids.segment('b')
      const taken = [await a.next(), await b.next(), first, await c.next()].map(String)
      const other = await new KvId('a', { preload: 1000 }).next().catch((error) => error.message)
      console.log(
        JSON.stringify({ taken, other, policies: [b, c].map((it) => it.describe().policy) }),
      )
    },
    { url },
  )
  assert.deepEqual(result.taken, ['1', '2', '1', '2'])
  assert.deepEqual(result.policies, ['lookahead', 'proportional'])
  assert.match(result.other, /^preload = 1000: another handle has none/)
})

test('a process is given one store until it is closed', async (t) => {
  const { url } = storeOf(t)
  const result = await resultIn(
    async ({ KvId, init }, { url }) => {
      const first = init(url)
      const again = init(url) === first
      let refused
      try {
        init('memory:other')
      } catch (error) {
        refused = error.message
      }
      await first.close()
      const next = init('memory:other')
      const after = String(await new KvId('order').next())
      console.log(JSON.stringify({ again, refused, after, store: next.store }))
    },
    { url },
  )
  assert.equal(result.again, true)
  assert.deepEqual([result.store, result.after], ['memory:other', '1'])
  assert.match(result.refused, /^url = "memory:other": this process was initialised with "sqlite:/)
})

test('names and options of a constant are checked where it is made', async () => {
  await assertRefused(() => new KvId('a/b'), 'name', 'a/b', 'without /')
  await assertRefused(() => new KvId(5), 'name', 5, 'expected text')
  await assertRefused(() => new KvId('a', { preload: 0 }), 'preload', 0, 'from 1')
  await assertRefused(() => new KvId('a', { prelaod: 5 }), 'prelaod', 5, 'did you mean preload?')
})

test('a constant that was closed before its first use is closed', async () => {
  const order = new KvId('order')
  await order.close()
  await assertFails(() => order.next(), 'ERR_MINTID_CLOSED')
  assert.equal(await createIds('memory:').segment('order').next(), 1n)
})
