// The example with Express as services run it: several instances on one store, several processes
// behind one port, and ends in order, whatever the store does.

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createIds } from 'mintid'
import { storeOf } from './support/folder.mjs'
import { assertDistinct } from './support/ids.mjs'
import { server, withoutServers } from './support/servers.mjs'
import { answerTo, installService, startService } from './support/service.mjs'

const CLIENTS = 50
const WORKERS = 8
/** What somebody who ends a service has to wait for it, at most. */
const MOST_MS = 3000
/** Why no end can be looked at: a process that is sent a signal there is killed. */
const withoutSignals = process.platform === 'win32' && 'Windows has no SIGTERM'

before(installService)

/** The ids of answers to creations, each of which is text. */
function idsOf(answers) {
  for (const { status, body } of answers) {
    assert.equal(status, 201, JSON.stringify(body))
    assert.match(body.id, /^[1-9]\d*$/)
  }
  return answers.map(({ body }) => body.id)
}

/** Who holds which machine number in a store, as the store itself remembers. */
async function heldMachines(url) {
  const ids = createIds(url)
  try {
    return (await ids.machines()).filter(({ isHeld }) => isHeld)
  } finally {
    await ids.close()
  }
}

function assertEnded({ code, signal, ms }, { complaints }) {
  assert.deepEqual([code, signal], [0, null], complaints)
  assert.ok(ms < MOST_MS, `it took ${ms} ms`)
}

test('two instances on one Redis create no id twice', { skip: withoutServers }, async (t) => {
  const { url } = await server(t)
  const instances = await Promise.all([startService(t, url), startService(t, url)])
  const answers = await Promise.all(
    instances.map((each) => each.askMany('/orders', { count: CLIENTS, times: 40 })),
  )
  const ids = answers.flatMap(idsOf)
  assert.equal(ids.length, 4000)
  assertDistinct(ids)
  for (const [i, instance] of instances.entries()) {
    const id = answers[i][0].body.id
    const { body } = await instance.ask('GET', `/orders/${id}`)
    assert.deepEqual(body, { id, item: 'tea' })
  }
})

test(`${WORKERS} processes of a cluster create no id twice, and end in order`, async (t) => {
  const { url } = storeOf(t)
  const cluster = await startService(t, url, {
    program: 'cluster.mjs',
    count: WORKERS,
    env: { WORKERS: String(WORKERS) },
  })
  const load = { count: CLIENTS, times: 40 }
  const orders = idsOf(await cluster.askMany('/orders', load))
  assertDistinct(orders)
  const events = idsOf(await cluster.askMany('/events', load))
  assertDistinct(events)
  const ids = createIds(url)
  t.after(() => ids.close())
  const machines = new Set(events.map((id) => ids.snowflake('events').parse(id).machine))
  assert.equal(machines.size, WORKERS)
  assert.equal((await heldMachines(url)).length, WORKERS)
  if (withoutSignals) return
  assertEnded(await cluster.end('SIGTERM'), cluster)
  assert.deepEqual(await heldMachines(url), [])
})

test('SIGTERM in the middle of a request: it is answered, and the lease given back', {
  skip: withoutServers || withoutSignals,
}, async (t) => {
  const { url } = await server(t)
  const service = await startService(t, url)
  idsOf([await service.ask('POST', '/events')])
  assert.equal((await heldMachines(url)).length, 1)
  const asked = service.begin('POST', '/orders')
  asked.write('{"item":')
  await arrived(service)
  const ending = service.end('SIGTERM')
  await refused(service)
  asked.end('"tea"}')
  idsOf([await answerTo(asked)])
  assertEnded(await ending, service)
  assert.deepEqual(await heldMachines(url), [])
})

for (const [what, harm] of [
  ['killed', 'SIGKILL'],
  ['silent', 'SIGSTOP'],
]) {
  test(`SIGTERM with a Redis that is ${what}: who waits is answered, the lease is left to expire`, {
    skip: withoutServers || withoutSignals,
  }, async (t) => {
    const redis = await server(t)
    const service = await startService(t, redis.url)
    idsOf([await service.ask('POST', '/events')])
    const [{ machine }] = await heldMachines(redis.url)
    process.kill(redis.pid, harm)
    // No order was created before, so there is no id at hand.
    const answers = service.askMany('/orders', { count: CLIENTS - 1, times: 1 })
    await arrived(service)
    const ending = service.end('SIGTERM')
    for (const { status, body } of await answers) {
      assert.deepEqual([status, body.code], [503, 'ERR_MINTID_RANGE_UNAVAILABLE'])
    }
    assertEnded(await ending, service)
    if (harm === 'SIGSTOP') {
      process.kill(redis.pid, 'SIGCONT')
      const held = await heldMachines(redis.url)
      assert.deepEqual(
        held.map((each) => each.machine),
        [machine],
      )
    }
  })
}

test('connections that are kept and idle do not hold the end up', {
  skip: withoutSignals,
}, async (t) => {
  const service = await startService(t, storeOf(t).url)
  await service.askMany('/orders', { count: CLIENTS, times: 2 })
  assertEnded(await service.end('SIGINT'), service)
})

/** Waits until a service has read what was sent before: it looks at all connections in turn. */
async function arrived(service) {
  for (let turn = 0; turn < 5; turn++) await service.ask('GET', '/healthz')
}

/** Waits until a service takes no new connections. */
async function refused(service) {
  for (;;) {
    try {
      await service.ask('GET', '/healthz')
    } catch {
      return
    }
  }
}
