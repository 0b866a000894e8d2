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
/** What somebody who ends a service has to wait for it, at most. */
const MOST_MS = 3000

/** A process that is sent one there is killed. */
const withoutSignals = process.platform === 'win32' && 'Windows has no SIGTERM'

const folder = mkdtempSync(join(tmpdir(), 'mintid-fastify-'))
let service
let url

before(async () => {
  const example = await install('fastify')
  service = spawn(process.execPath, [join(example, 'index.mjs')], {
    env: { ...process.env, PORT: '0', MINTID_URL: `sqlite:${join(folder, 'orders.db')}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(service, 'exit').then(() => {
    throw new Error('the service ended before it listened')
  })
  const lines = createInterface({ input: service.stdout })
  const [line] = await Promise.race([once(lines, 'line'), ended])
  url = `http://localhost:${/\d+$/.exec(line)[0]}`
})

after(() => {
  service?.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const post = (base) =>
  fetch(`${base}/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"item":"tea"}',
  })

test('an order is created under an id that is text, and found by it', async () => {
  const response = await post(url)
  assert.equal(response.status, 201)
  assert.equal(await response.text(), '{"id":"1","item":"tea"}')
  const found = await fetch(url + response.headers.get('location'))
  assert.equal(await found.text(), '{"id":"1","item":"tea"}')
})

test('many clients at once get different ids', async () => {
  const ids = []
  const client = async () => {
    for (let i = 0; i < CREATIONS / CLIENTS; i++) ids.push((await (await post(url)).json()).id)
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  assert.equal(new Set(ids).size, CREATIONS)
  for (const id of ids) assert.match(id, /^[1-9]\d*$/)
})

for (const [text, code] of [
  ['', 'FST_ERR_VALIDATION'],
  ['0x10', 'FST_ERR_VALIDATION'],
  [' 12 ', 'FST_ERR_VALIDATION'],
  ['-1', 'FST_ERR_VALIDATION'],
  ['9223372036854775808', 'ERR_MINTID_ID_INVALID'],
]) {
  test(`${JSON.stringify(text)} in a path is refused`, async () => {
    const response = await fetch(`${url}/orders/${encodeURIComponent(text)}`)
    assert.equal(response.status, 400)
    assert.equal((await response.json()).code, code)
  })
}

test('an id that no order has is not found', async () => {
  assert.equal((await fetch(`${url}/orders/9223372036854775806`)).status, 404)
})

test('the service is healthy', async () => {
  const response = await fetch(`${url}/healthz`)
  assert.equal(response.status, 200)
  assert.deepEqual(
    (await response.json()).generators.map(({ name }) => name),
    ['orders'],
  )
})

test('a store that is away ends the start', async () => {
  // Only now: before the installation there is no Fastify.
  const { createApp } = await import('./app.mjs')
  // Nobody listens on that port.
  const app = await createApp('redis://127.0.0.1:1')
  await assert.rejects(async () => app.ready(), { code: 'ERR_MINTID_STORE_UNAVAILABLE' })
  await app.close()
})

// The last one: the service is gone then.
test('SIGTERM ends it in order, and at once', { skip: withoutSignals }, async () => {
  const start = performance.now()
  service.kill('SIGTERM')
  assert.deepEqual(await once(service, 'exit'), [0, null])
  assert.ok(performance.now() - start < MOST_MS)
})
