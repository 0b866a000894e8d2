// Builds the service with its own compiler, starts it as its README says, and drives it over HTTP and
// by signals: two instances on one Redis, the end of one in every state of its store.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { server, withoutServers } from '../../__test__/support/servers.mjs'
import { temporaryFolder } from '../../scripts/folder.mjs'
import { install } from '../install.mjs'
import { build, get, inTime, JSON_TYPE, post, start, terminate } from './service.mjs'

const CREATIONS = 2000
const CLIENTS = 50
const LEASE_MS = 60_000
const skip = withoutServers
/** Nobody listens there. */
const NOWHERE = 'redis://127.0.0.1:1'
/** On Windows it ends a process before that can do anything. */
const withoutSignals = process.platform === 'win32' && 'Windows has no SIGTERM'

let example

before(async () => {
  example = await install('nest')
  await build(example)
})

const onFile = () => `sqlite:${join(temporaryFolder('nest-example'), 'orders.db')}`

/** The machine numbers that are held on a store. */
async function held(url) {
  const { connect } = await import('mintid')
  const ids = await connect(url)
  try {
    return (await ids.machines()).filter(({ isHeld }) => isHeld)
  } finally {
    await ids.close()
  }
}

/** Orders of one client, one after the other. */
async function createMany(base, count) {
  const ids = []
  for (let i = 0; i < count; i++) ids.push((await (await post(base)).json()).id)
  return ids
}

test('two instances on one Redis give no two orders one id', { skip }, async (t) => {
  const { url } = await server(t)
  const services = await Promise.all([start(t, example, url), start(t, example, url)])
  const each = CREATIONS / CLIENTS
  const clients = services.flatMap(({ base }) =>
    Array.from({ length: CLIENTS }, () => createMany(base, each)),
  )
  const ids = (await Promise.all(clients)).flat()
  assert.equal(ids.length, services.length * CREATIONS)
  assert.equal(new Set(ids).size, ids.length)
  assert.deepEqual(
    ids.filter((id) => typeof id !== 'string' || !/^[1-9]\d*$/.test(id)),
    [],
  )
  assert.equal((await held(url)).length, services.length)
  for (const service of services) await terminate(service)
  assert.deepEqual(await held(url), [])
})

test('an order is found by its id, what is no id is refused, and the service is well', async (t) => {
  const service = await start(t, example, onFile())
  const response = await post(service.base)
  const order = await response.json()
  assert.equal(response.status, 201)
  assert.deepEqual(order, { id: '1', item: 'tea' })
  assert.deepEqual(await get(service.base, '/orders/1'), { status: 200, body: order })
  assert.equal((await get(service.base, '/orders/9223372036854775806')).status, 404)
  for (const text of ['0x10', ' 12 ', '-1', '01', '1e3', '9223372036854775808']) {
    const { status, body } = await get(service.base, `/orders/${encodeURIComponent(text)}`)
    assert.equal(status, 400)
    assert.equal(body.code, 'ERR_MINTID_ID_INVALID')
  }
  const { status, body } = await get(service.base, '/health')
  assert.equal(status, 200)
  assert.equal(body.details.ids.status, 'up')
  const names = body.details.ids.generators.map(({ name }) => name)
  assert.deepEqual(names.sort(), ['journal', 'orders'])
  await terminate(service)
})

test('a request under way is answered before the service ends', {
  skip: withoutSignals,
}, async (t) => {
  const service = await start(t, example, onFile())
  const headers = { ...JSON_TYPE, expect: '100-continue' }
  const order = request(`${service.base}/orders`, { method: 'POST', headers })
  order.flushHeaders()
  // From here on the service has it.
  await once(order, 'continue')
  service.child.kill('SIGTERM')
  await service.told(/answering what is under way/)
  order.end('{"item":"tea"}')
  const [response] = await once(order, 'response')
  assert.equal(response.statusCode, 201)
  assert.deepEqual(JSON.parse((await response.toArray()).join('')), { id: '1', item: 'tea' })
  await inTime(service.exited)
})

test('the hooks get ids, and give the machine number back', { skip }, async (t) => {
  const { url } = await server(t)
  const service = await start(t, example, url)
  await post(service.base)
  assert.equal((await held(url)).length, 1)
  await terminate(service)
  assert.deepEqual(await held(url), [])
  const journal = service.said.filter((line) => /\[Journal\] .*?\d{10,} \w+/.test(line))
  assert.equal(journal.length, 3, service.said.join('\n'))
})

test('without hooks the machine number is free when its lease ends', { skip }, async (t) => {
  const { url } = await server(t)
  const service = await start(t, example, url, { SHUTDOWN_HOOKS: 'off' })
  await post(service.base)
  await terminate(service)
  const [{ deadline }, ...others] = await held(url)
  assert.deepEqual(others, [])
  assert.ok(deadline < Date.now() + LEASE_MS)
  assert.ok(!service.said.some((line) => line.includes('closing')))
})

for (const hooks of ['on', 'off']) {
  for (const [how, harm] of [
    ['is gone', (own) => own.kill()],
    ['hangs', (own) => process.kill(own.pid, 'SIGSTOP')],
  ]) {
    test(`the service ends while Redis ${how}, with hooks ${hooks}`, { skip }, async (t) => {
      const own = await server(t)
      const service = await start(t, example, own.url, { SHUTDOWN_HOOKS: hooks })
      await post(service.base)
      await harm(own)
      await terminate(service)
    })
  }
}

test('the service starts and ends where no store ever was', async (t) => {
  const service = await start(t, example, NOWHERE)
  assert.equal((await post(service.base)).status, 503)
  assert.equal((await get(service.base, '/health')).status, 503)
  await terminate(service)
})

test('a request that waits for Redis is answered with 503, also at the end', {
  skip,
}, async (t) => {
  const own = await server(t)
  const service = await start(t, example, own.url)
  await own.kill()
  const answers = [post(service.base), post(service.base)]
  const { status, headers } = await answers[0]
  assert.deepEqual([status, headers.get('retry-after')], [503, '1'])
  assert.equal((await answers[1]).status, 503)
  assert.equal((await get(service.base, '/health')).status, 503)
  const last = post(service.base)
  // Until it is there.
  await get(service.base, '/orders/1')
  await terminate(service)
  assert.equal((await last).status, 503)
})
