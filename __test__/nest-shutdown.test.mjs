// The end of a Nest application: ids until the last hook, then one close, which is not waited for
// without end.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Logger } from '@nestjs/common'
import { getGeneratorToken, InjectGenerator, MintIdModule } from 'mintid/nest'
import { inMemory, moduleOf, ownStore, provider, started } from './support/nest.mjs'

const ORDERS = getGeneratorToken('orders')
const orders = MintIdModule.forFeature('orders')

/** What Nest's logger is told while `body` runs. */
async function warnings(t, body) {
  const told = t.mock.method(Logger.prototype, 'warn', () => {})
  await body()
  return told.mock.calls.map(({ arguments: [message] }) => message)
}

test('other providers get ids in their hooks, and after the last one nobody does', async () => {
  const minted = []
  class Ledger {
    constructor(orders) {
      this.orders = orders
    }
    async onModuleDestroy() {
      minted.push(await this.orders.next())
    }
    async beforeApplicationShutdown() {
      minted.push(await this.orders.next())
    }
  }
  const part = moduleOf({
    imports: [orders],
    providers: [provider(Ledger, InjectGenerator('orders'))],
  })
  const app = await started([inMemory(), part])
  const generator = app.get(ORDERS, { strict: false })
  await app.close()
  assert.deepEqual(minted, [1n, 2n])
  await assert.rejects(generator.next(), { code: 'ERR_MINTID_CLOSED' })
})

test('a store is closed once, however often the application is', async (t) => {
  const store = ownStore()
  const app = await started([MintIdModule.forRoot({ store }), orders])
  assert.equal(await app.get(ORDERS, { strict: false }).next(), 1n)
  assert.deepEqual(
    await warnings(t, async () => {
      await Promise.all([app.close(), app.close()])
      await app.close()
    }),
    [],
  )
  assert.equal(store.closed, 1)
})

test('an application ends whose store does not answer at its close, and says so', async (t) => {
  let release
  const never = new Promise((resolve) => {
    release = resolve
  })
  const store = ownStore(() => never)
  const app = await started([MintIdModule.forRoot({ store }), orders])
  assert.equal(await app.get(ORDERS, { strict: false }).next(), 1n)
  const told = await warnings(t, () => app.close())
  // Or this process would not end.
  release()
  assert.equal(store.closed, 1)
  assert.equal(told.length, 1)
  assert.match(told[0], /did not let go within 2000 ms.*lease/)
})

test('an application ends whose store fails at its close, and says so', async (t) => {
  const store = ownStore(() => Promise.reject(new Error('the disk is full')))
  const app = await started([MintIdModule.forRoot({ store }), orders])
  assert.equal(await app.get(ORDERS, { strict: false }).next(), 1n)
  const told = await warnings(t, () => app.close())
  assert.equal(told.length, 1)
  assert.match(told[0], /the disk is full.*lease/)
})
