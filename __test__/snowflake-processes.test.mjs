// Processes that lease machine numbers from one store: at the same instant, for a short time, and
// until somebody kills them.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clusterWorker } from '../scripts/faults/cluster-worker.mjs'
import { crashes } from '../scripts/faults/scenarios/lease/crashes.mjs'
import { runScenario } from '../scripts/faults/trial.mjs'
import { inCrowd } from './support/crowd.mjs'
import { inProcess } from './support/elsewhere.mjs'
import { folderOf, storeOf } from './support/folder.mjs'
import { huge, isWhole } from './support/huge.mjs'
import { assertDistinct, assertGrowing } from './support/ids.mjs'
import { idsOf, ownServer, proxyTo } from './support/redis.mjs'
import { freshKey, testOn, withoutServers } from './support/servers.mjs'

const EXHAUSTED = 'ERR_MINTID_MACHINE_IDS_EXHAUSTED'
const LEASE = { ttl: 2_000, heartbeat: 500, claimTimeout: 2_500 }

/** A test on each kind of store, in a namespace of its own. */
function onStores(name, body, servers = ['REDIS7', 'VALKEY9']) {
  test(`${name}, on SQLite`, (t) => body({ t, url: storeOf(t).url, namespace: 'shop' }))
  for (const server of servers) {
    testOn(server, name, (t, url) => body({ t, url, namespace: freshKey() }))
  }
}

/** In a process: claims a number and mints so many ids one by one. */
async function mint({ createIds }, { url, namespace, count, ...options }) {
  const events = createIds(url, { namespace }).snowflake('events', { firstStart: true, ...options })
  try {
    await events.ready()
    const minted = []
    while (minted.length < count) minted.push(String(await events.next()))
    return { machine: events.machine, minted }
  } catch ({ code, message }) {
    return { code, message }
  }
}

const machinesOf = (members) => members.map(({ machine }) => machine)

function assertNone(members, code) {
  for (const member of members) assert.equal(member.code, code, member.message)
}

test('64 claims at the same instant get 64 numbers', { skip: withoutServers }, async (t) => {
  const server = await ownServer(t)
  // By other ways to the server, these are 64 stores to the process.
  const proxies = await Promise.all(Array.from({ length: 64 }, () => proxyTo(t, server)))
  const options = { machineRange: [0, 63], firstStart: true, lease: LEASE }
  const handles = proxies.map(({ url }) => idsOf(t, url).snowflake('events', options))
  const ids = await Promise.all(handles.map((handle) => handle.next()))
  assertDistinct(ids)
  const machines = handles.map(({ machine }) => machine).sort((one, other) => one - other)
  assert.deepEqual(machines, [...Array(64).keys()])
})

onStores(
  '50 processes that come to an empty store at once get 50 numbers (case 43)',
  async ({ url, namespace }) => {
    for (let round = 0; round < (isWhole ? 20 : 1); round++) {
      const data = { url, namespace: `${namespace}-${round}`, machineRange: [0, 49], count: 20 }
      const members = await inCrowd(50, mint, data)
      assertNone(members)
      assert.equal(new Set(machinesOf(members)).size, 50)
      assertDistinct(members.flatMap(({ minted }) => minted))
    }
  },
)

onStores(
  '64 short-lived processes that close nothing repeat no id (case 42)',
  async ({ url, namespace }) => {
    const data = { url, namespace, machineRange: [0, 63], count: 500, mint: String(mint) }
    const told = []
    let left = 64
    const places = Array.from({ length: 16 }, async () => {
      while (left-- > 0) {
        const { code, stdout, stderr } = await inProcess(mintAndExit, data)
        assert.equal(code, 0, stderr)
        told.push(JSON.parse(stdout))
      }
    })
    await Promise.all(places)
    assertNone(told)
    assertDistinct(told.flatMap(({ minted }) => minted))
    assert.equal(told.length, 64)
    // None comes back before its ttl, which none of them lives to see.
    assert.equal(new Set(machinesOf(told)).size, 64)
  },
  ['VALKEY9'],
)

async function mintAndExit(mintid, { mint, ...data }) {
  const run = new Function(`return (${mint})`)()
  process.stdout.write(JSON.stringify(await run(mintid, data)), () => process.exit())
}

test('workers of a cluster mint 200,000 ids each from the same instant (case 40)', async (t) => {
  const { url } = storeOf(t)
  for (const count of isWhole ? [4, 16] : [4]) {
    const data = { url, namespace: `of-${count}`, count: huge(200_000) }
    const members = await inCrowd(count, mint, data, { launch: clusterWorker })
    assertNone(members)
    assert.equal(new Set(machinesOf(members)).size, count)
    for (const { minted } of members) assertGrowing(minted.map(BigInt))
    assertDistinct(members.flatMap(({ minted }) => minted))
  }
})

onStores(
  'a number of which two processes are told is held by one of them',
  async ({ url, namespace }) => {
    const members = await inCrowd(2, mint, { url, namespace, machine: 7, lease: LEASE, count: 10 })
    const [[holder], [refused]] = [
      members.filter(({ machine }) => machine !== undefined),
      members.filter(({ code }) => code !== undefined),
    ]
    assert.equal(holder.machine, 7)
    assert.equal(refused.code, EXHAUSTED)
    assert.match(refused.message, /\b7\b/)
  },
)

onStores(
  'a process that is forked later claims a number of its own',
  async ({ t, url, namespace }) => {
    const options = { firstStart: true, lease: LEASE }
    const events = idsOf(t, url, { namespace }).snowflake('events', options)
    const before = await events.nextBatch(500)
    const [{ machine, minted }] = await inCrowd(1, mint, { url, namespace, ...options, count: 500 })
    assert.notEqual(machine, events.machine)
    const after = await events.nextBatch(500)
    assertDistinct([...before, ...after, ...minted.map(BigInt)])
  },
)

test('8 processes that crash share 8 numbers, and none waits longer than a ttl', {
  skip: withoutServers,
}, async (t) => {
  const { complaints, ids, duplicates } = await runScenario(crashes(isWhole ? 200 : 24), {
    seconds: 1,
    folder: folderOf(t),
  })
  assert.deepEqual({ complaints, duplicates }, { complaints: [], duplicates: 0 })
  assert.ok(ids > 10_000, `${ids} ids`)
})
