// Starts the service as its README says, and drives it over HTTP.

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import { install } from '../install.mjs'

const CREATIONS = 500
const CLIENTS = 50
/** Far below what a connection that is kept open would take. */
const PROMPT_MS = 4000

/** A process that is sent one there is killed. */
const withoutSignals = process.platform === 'win32' && 'Windows has no SIGTERM'

const folder = mkdtempSync(join(tmpdir(), 'mintid-express-'))
let service
let url

before(async () => {
  const example = await install('express')
  service = spawn(process.execPath, [join(example, 'index.mjs')], {
    env: { ...process.env, PORT: '0', MINTID_URL: `sqlite:${join(folder, 'orders.db')}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(service, 'exit').then(() => {
    throw new Error('the service ended before it listened')
  })
  const [line] = await Promise.race([
    once(createInterface({ input: service.stdout }), 'line'),
    ended,
  ])
  url = `http://localhost:${/\d+$/.exec(line)[0]}`
})

after(() => {
  service?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const post = (base, order) =>
  fetch(`${base}/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(order),
  })

/** What `path` answers: `{ status, body }`. */
async function get(base, path) {
  const response = await fetch(`${base}${path}`)
  return { status: response.status, body: await response.json() }
}

test('an order is created under an id that is text, and found by it', async () => {
  const response = await post(url, { item: 'tea' })
  const order = await response.json()
  assert.equal(response.status, 201)
  assert.deepEqual(order, { id: '1', item: 'tea' })
  assert.equal(response.headers.get('location'), '/orders/1')
  assert.deepEqual(await get(url, '/orders/1'), { status: 200, body: order })
})

test('many clients at once get different ids', async () => {
  const ids = []
  const client = async () => {
    for (let i = 0; i < CREATIONS / CLIENTS; i++) {
      ids.push((await (await post(url, { item: 'tea' })).json()).id)
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  assert.equal(new Set(ids).size, CREATIONS)
  assert.deepEqual(
    ids.filter((id) => typeof id !== 'string' || !/^[1-9]\d*$/.test(id)),
    [],
  )
})

for (const text of ['', '0x10', ' 12 ', '-1', '01', '1e3', '9223372036854775808']) {
  test(`${JSON.stringify(text)} in a path is refused`, async () => {
    const { status, body } = await get(url, `/orders/${encodeURIComponent(text)}`)
    assert.equal(status, 400)
    assert.equal(body.code, 'ERR_MINTID_ID_INVALID')
    assert.ok(body.message.startsWith(`${JSON.stringify(text)} is no id of "orders"`), body.message)
  })
}

test('an id that no order has is not found', async () => {
  assert.equal((await get(url, '/orders/9223372036854775806')).status, 404)
})

test('the service is healthy', async () => {
  const { status, body } = await get(url, '/healthz')
  assert.equal(status, 200)
  assert.equal(body.ok, true)
  assert.deepEqual(
    body.generators.map(({ name }) => name),
    ['orders', 'events', 'requests'],
  )
})

test('each answer tells the id of its request', async () => {
  const answers = [await post(url, {}), await post(url, {})]
  const [one, other] = answers.map(({ headers }) => headers.get('x-request-id'))
  assert.match(one, /^[1-9]\d*$/)
  assert.notEqual(one, other)
  const headers = { 'x-request-id': 'theirs' }
  const { headers: told } = await fetch(`${url}/orders/1`, { headers })
  assert.equal(told.get('x-request-id'), 'theirs')
})

test('an event is created under an id that tells the time', async () => {
  const response = await fetch(`${url}/events`, { method: 'POST' })
  const { id, at } = await response.json()
  assert.equal(response.status, 201)
  assert.equal(typeof id, 'string')
  assert.equal(new Date(at).getUTCFullYear(), new Date().getUTCFullYear())
})

test('without its store it is unhealthy, and says so to who wants an id', async () => {
  // Only now: before the installation there is neither.
  const { createIds } = await import('mintid')
  const { createApp } = await import('./app.mjs')
  // Nobody listens on that port.
  const ids = createIds('redis://127.0.0.1:1')
  const server = createApp(ids).listen(0)
  await once(server, 'listening')
  const base = `http://localhost:${server.address().port}`
  try {
    const answer = await post(base, { item: 'tea' })
    assert.equal(answer.status, 503)
    assert.equal(answer.headers.get('retry-after'), '1')
    const { status, body } = await get(base, '/healthz')
    assert.equal(status, 503)
    assert.equal(body.ok, false)
  } finally {
    server.close()
    await ids.close()
  }
})

// The last one: the service is gone then.
test('SIGTERM ends it in order, and at once', { skip: withoutSignals }, async () => {
  const started = performance.now()
  service.kill('SIGTERM')
  assert.deepEqual(await once(service, 'exit'), [0, null])
  assert.ok(performance.now() - started < PROMPT_MS)
})
