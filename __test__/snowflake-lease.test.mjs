// The machine number: leased from the store, kept, lost, given back.

import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { test } from 'node:test'
import { createIds } from 'mintid'
import { createTestIds } from 'mintid/testing'
import { inProcess } from './support/elsewhere.mjs'
import { assertFails } from './support/failure.mjs'
import { storeOf } from './support/folder.mjs'
import { assertGrowing } from './support/ids.mjs'

/** The shortest lease there is, renewed often. */
const SHORT = { ttl: 2_000, heartbeat: 100, claimTimeout: 300 }

/** An event that has not come by then will not come. */
const LONGEST_WAIT_MS = 20_000

/** The first event of a kind that an emitter tells. Events hold no event loop, so this does. */
function told(emitter, name) {
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no event ${name}`))
    const timer = setTimeout(late, LONGEST_WAIT_MS)
    emitter.once(name, (event) => {
      clearTimeout(timer)
      resolve(event)
    })
  })
}

/** Another process that takes ids, or fails to; `end` is how it ends: `close`, `exit` or `kill`. */
async function elsewhere(url, options, end = 'close') {
  const body = async ({ createIds }, { url, options, end }) => {
    const ids = createIds(url)
    try {
      const events = ids.snowflake('events', options)
      await events.ready()
      const batch = await events.nextBatch(100)
      console.log(JSON.stringify({ machine: events.machine, ids: [...batch].map(String) }))
    } catch ({ code, message }) {
      console.log(JSON.stringify({ code, message }))
    }
    if (end === 'kill') process.kill(process.pid, 'SIGKILL')
    if (end === 'close') await ids.close()
  }
  const { stdout, stderr } = await inProcess(body, { url, options, end })
  assert.equal(stderr, '')
  return JSON.parse(stdout)
}

test('nothing is claimed before the first call', async (t) => {
  const { url } = storeOf(t)
  const ids = createIds(url)
  t.after(() => ids.close())
  const events = ids.snowflake('events')
  assert.equal(events.machine, undefined)
  assert.deepEqual(await ids.machines(), [])
  assert.equal(ids.health().ok, true)
  await events.ready()
  assert.equal((await ids.machines()).length, 1)
})

test('until a number is held, who does not wait is told so', async (t) => {
  const { ids, store } = createTestIds()
  t.after(() => ids.close())
  const events = ids.snowflake('events')
  store.hang()
  assert.equal(events.tryNext(), undefined)
  await assertFails(() => events.nextSync(), 'ERR_MINTID_LEASE_PENDING')
  store.recover()
  await events.next()
  assert.equal(typeof events.nextSync(), 'bigint')
})

test('the store knows who holds which number until when', async (t) => {
  const { url } = storeOf(t)
  const ids = createIds(url)
  const events = ids.snowflake('events', { machine: 7, lease: SHORT })
  await events.ready()
  const before = Date.now()
  const [{ owner, deadline, ceiling, ...rest }, ...others] = await ids.machines()
  assert.deepEqual(others, [])
  assert.deepEqual(rest, { machine: 7, isHeld: true, isForeign: false })
  assert.match(owner, new RegExp(`:${process.pid}:[0-9a-f]{32}$`))
  assert.ok(deadline > before - 2_000 && deadline <= Date.now() + 2_000)
  assert.ok(ceiling >= before - 2_000 && ceiling <= Date.now() + 7_000)
  const { lease, remaining } = ids.health().generators[0]
  assert.equal(lease.machine, 7)
  assert.ok(lease.remainingMs > 0 && lease.remainingMs <= 2_000)
  assert.equal(remaining, 0)
  await ids.close()
  const again = createIds(url)
  t.after(() => again.close())
  assert.deepEqual(
    (await again.machines()).map(({ machine, isHeld }) => [machine, isHeld]),
    [[7, false]],
  )
})

test('the number that is held is told to handles, stores and the channel', async (t) => {
  const { url } = storeOf(t)
  const ids = createIds(url)
  t.after(() => ids.close())
  const seen = []
  const onChannel = (message) => seen.push(message)
  subscribe('mintid:leaseAcquired', onChannel)
  t.after(() => unsubscribe('mintid:leaseAcquired', onChannel))
  const events = ids.snowflake('events')
  const all = Promise.all([told(events, 'leaseAcquired'), told(ids, 'leaseAcquired')])
  await events.next()
  const [own, ofStore] = await all
  assert.deepEqual(own, { key: 'sfid', store: url, machine: events.machine })
  assert.equal(ofStore, own)
  assert.ok(seen.includes(own))
})

test('a number that another process holds is not given twice', async (t) => {
  const { url } = storeOf(t)
  const ids = createIds(url)
  t.after(() => ids.close())
  const events = ids.snowflake('events', { machine: 7, lease: SHORT })
  await events.ready()
  for (const options of [
    { machine: 7, lease: SHORT },
    { machineRange: [7, 7], lease: SHORT },
  ]) {
    const { code, message } = await elsewhere(url, options)
    assert.equal(code, 'ERR_MINTID_MACHINE_IDS_EXHAUSTED')
    assert.match(message, /^machine number 7 of sfid .*holds|^machine number 7 of sfid .*held/)
  }
  const other = await elsewhere(url, { machineRange: [7, 8], lease: SHORT })
  assert.equal(other.machine, 8)
  await events.next()
  assert.equal(events.machine, 7)
})

test('a number that was given back is free at once, and begins above what was used', async (t) => {
  const { url } = storeOf(t)
  const options = { machine: 7, lease: { ...SHORT, ttl: 60_000 } }
  const minted = []
  for (let round = 0; round < 5; round++) {
    const { machine, ids } = await elsewhere(url, options)
    assert.equal(machine, 7)
    minted.push(...ids.map(BigInt))
  }
  assertGrowing(minted)
})

for (const end of ['exit', 'kill']) {
  test(`after a ${end} without close the number is free by the end of its lease`, async (t) => {
    const { url } = storeOf(t)
    const lease = { ttl: 2_000, heartbeat: 500 }
    const dead = await elsewhere(url, { machine: 7, lease }, end)
    const started = performance.now()
    const ids = createIds(url)
    t.after(() => ids.close())
    const events = ids.snowflake('events', { machine: 7, lease })
    await events.ready()
    const waited = performance.now() - started
    assert.ok(waited < 2 * 2_000 + 5_000 + 1_000, `${waited} ms`)
    assertGrowing([...dead.ids.map(BigInt), ...(await events.nextBatch(100))])
  })
}

test('a number that was taken away is lost, and another one is claimed', async (t) => {
  const { url } = storeOf(t)
  const ids = createIds(url)
  t.after(() => ids.close())
  const events = ids.snowflake('events', { machineRange: [0, 500], lease: SHORT })
  const minted = [await events.next()]
  const before = events.machine
  const losses = []
  events.on('leaseLost', (event) => losses.push(event))
  const [lost, acquired] = [told(ids, 'leaseLost'), told(ids, 'leaseAcquired')]
  assert.equal(await ids.freeMachine(before), true)
  assert.equal(await ids.freeMachine(before), false)
  const { machine, message, ...rest } = await lost
  assert.equal(machine, before)
  assert.ok(message.length > 0)
  assert.deepEqual(rest, { key: 'sfid', store: url })
  await acquired
  minted.push(await events.next(), events.nextSync(), ...(await events.nextBatch(5_000)))
  assertGrowing(minted)
  assert.equal(losses.length, 1)
  const { leases } = events.stats()
  assert.equal(leases, 2)
  assert.equal(events.stats().losses, 1)
})

test('a process with another layout is refused', async (t) => {
  const { url } = storeOf(t)
  const ids = createIds(url)
  t.after(() => ids.close())
  await ids.snowflake('events').ready()
  for (const [layout, record] of [
    ['jsSafe', '41/6/6/ms/1577836800000'],
    [{ epoch: 1.6e12 }, '41/10/12/ms/1600000000000'],
    [{ timestampBits: 32, unit: 's' }, '32/10/12/s/1577836800000'],
  ]) {
    const { code, message } = await elsewhere(url, { layout })
    assert.equal(code, 'ERR_MINTID_LAYOUT_MISMATCH')
    assert.ok(message.includes('41/10/12/ms/1577836800000'), message)
    assert.ok(message.includes(record), message)
  }
  const { message } = await elsewhere(url, { layout: 'jsSafe' }, 'exit')
  assert.match(message, /sfid/)
})

test('the handle that was made first may be closed first', async (t) => {
  const { url } = storeOf(t)
  const ids = createIds(url)
  t.after(() => ids.close())
  const [first, second] = [ids.snowflake('first'), ids.snowflake('second')]
  const minted = [await first.next(), await second.next()]
  const { issued } = first.stats()
  await first.close()
  minted.push(await second.next(), second.nextSync(), ...(await second.nextBatch(10_000)))
  const third = ids.snowflake('first')
  minted.push(await third.next())
  assertGrowing(minted)
  assert.equal(issued, 2)
  assert.equal(third.stats().issued, minted.length)
  assert.equal(third.stats().leases, 1)
  const [{ isHeld }] = await ids.machines()
  assert.equal(isHeld, true)
})

test('two namespaces of one process are both renewed, and both given back', async (t) => {
  const { url } = storeOf(t)
  const stores = [undefined, 'shop'].map((namespace) => createIds(url, { namespace }))
  const handles = stores.map((store) => store.snowflake('events', { lease: SHORT }))
  await Promise.all(handles.map((handle) => handle.ready()))
  const deadlines = async () => {
    const all = await Promise.all(stores.map((store) => store.machines()))
    return all.map(([{ deadline }]) => deadline)
  }
  const first = await deadlines()
  // Until both have moved on; a lease that is not renewed would end before.
  for (let now = first; now.some((deadline, i) => deadline <= first[i] + 300); ) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    now = await deadlines()
  }
  await Promise.all(handles.map((handle) => handle.close()))
  for (const store of stores) {
    // Giving back goes on behind the close of a handle.
    while ((await store.machines()).some(({ isHeld }) => isHeld)) {
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    await store.close()
  }
})
