// A program ends when it has nothing left to do, however it left mintid.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inProcess } from './support/elsewhere.mjs'
import { storeOf } from './support/folder.mjs'
import { holdLock } from './support/lock.mjs'

/** Far more than a program takes that has nothing to wait for, on a machine that has much to do. */
const AT_ONCE_MS = 10_000

async function assertEnds({ code, signal, stdout, stderr }, written) {
  assert.deepEqual({ code, signal, stderr }, { code: 0, signal: null, stderr: '' })
  assert.equal(stdout, written)
}

const FORGETFUL = {
  'has minted ids': [
    async ({ createIds }) => {
      const orders = createIds().segment('orders')
      for (let i = 0; i < 10; i++) await orders.next()
      console.log(String(await orders.next()))
    },
    '11\n',
  ],
  'has never taken an id': [
    async ({ createIds }) => {
      createIds().segment('orders')
      console.log('made')
    },
    'made\n',
  ],
  'has only waited for the store': [
    async ({ connect }) => {
      await connect()
      console.log('connected')
    },
    'connected\n',
  ],
  'has started a refill that nobody waits for': [
    async ({ createIds }) => {
      console.log(createIds().segment('orders').tryNext())
    },
    'undefined\n',
  ],
  'has looked at its stats': [
    async ({ createIds }) => {
      console.log(createIds().segment('orders').stats().issued)
    },
    '0\n',
  ],
  'has left a loop over ids': [
    async ({ createIds }) => {
      for await (const id of createIds().segment('orders')) {
        if (id === 3n) break
      }
      console.log('left')
    },
    'left\n',
  ],
}

for (const [what, [program, written]] of Object.entries(FORGETFUL)) {
  test(`a program that ${what} and forgets to close ends by itself`, async (t) => {
    const started = performance.now()
    await assertEnds(await inProcess(program, null, { MINTID_URL: storeOf(t).url }), written)
    assert.ok(performance.now() - started < AT_ONCE_MS)
  })
}

test('a program that waits for an id is told of the failure, and then ends', async (t) => {
  const { file, url } = storeOf(t)
  await holdLock(t, file)
  const program = async ({ createIds }) => {
    try {
      await createIds().segment('orders').next()
    } catch ({ code }) {
      console.log(code)
    }
  }
  const end = await inProcess(program, null, { MINTID_URL: url })
  await assertEnds(end, 'ERR_MINTID_RANGE_UNAVAILABLE\n')
})

test('a failure that nobody waits for ends no program', async (t) => {
  const { file, url } = storeOf(t)
  await holdLock(t, file)
  const program = async ({ createIds }) => {
    const orders = createIds().segment('orders')
    orders.tryNext()
    while (orders.stats().failures === 0) await new Promise((next) => setTimeout(next, 50))
    console.log('failed')
  }
  await assertEnds(await inProcess(program, null, { MINTID_URL: url }), 'failed\n')
})

test('process.exit() in the middle of a block repeats no id', async (t) => {
  const { url } = storeOf(t)
  const program = async ({ createIds }) => {
    const { writeSync } = await import('node:fs')
    const orders = createIds().segment('orders')
    for (let i = 0; i < 10; i++) writeSync(1, `${await orders.next()}\n`)
    process.exit(0)
  }
  const minted = []
  for (let run = 0; run < 3; run++) {
    const end = await inProcess(program, null, { MINTID_URL: url })
    await assertEnds(end, end.stdout)
    minted.push(...end.stdout.trim().split('\n').map(BigInt))
  }
  assert.equal(minted.length, 30)
  assert.equal(new Set(minted).size, 30)
})

test('process.exit() while calls wait ends the program with its own code', async (t) => {
  const { file, url } = storeOf(t)
  await holdLock(t, file)
  const program = async ({ createIds }) => {
    const orders = createIds().segment('orders')
    for (const call of ['next', 'ready']) orders[call]().catch(() => {})
    orders.nextRange(5).catch(() => {})
    setImmediate(() => process.exit(3))
  }
  const { code, signal } = await inProcess(program, null, { MINTID_URL: url })
  assert.deepEqual({ code, signal }, { code: 3, signal: null })
})
