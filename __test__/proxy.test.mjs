// The proxy of the fault tests: that each fault is the one that its name says.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startProxy } from '../scripts/servers/proxy.mjs'

const HOST = '127.0.0.1'

/** Time enough for bytes that are on their way to arrive, and for an answer that must not come. */
const A_WHILE_MS = 100

/** More than a socket takes that nobody reads. */
const FLOOD_BYTES = 2 ** 24

/** A server that answers each piece it is sent with `NAME:` and that piece. */
async function serverOf(t, name) {
  const sockets = new Set()
  const heard = []
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      heard.push(String(chunk))
      if (String(chunk) === 'quit') socket.end('bye')
      else if (String(chunk) === 'flood') socket.end(Buffer.alloc(FLOOD_BYTES))
      else socket.write(`${name}:${chunk}`)
    })
  })
  server.listen(0, HOST)
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { port: server.address().port, heard, sockets, server }
}

async function proxyOf(t, { port }) {
  const proxy = await startProxy({ target: port })
  t.after(() => proxy.stop())
  return proxy
}

/** A client that says something and tells what came back, and how its connection ended. */
async function clientOf(t, { port }) {
  const socket = connect({ host: HOST, port })
  t.after(() => socket.destroy())
  const client = { socket, got: '', error: undefined, hasEnded: false }
  socket.setEncoding('utf8')
  socket.on('data', (text) => {
    client.got += text
  })
  socket.on('end', () => {
    client.hasEnded = true
  })
  client.closed = new Promise((resolve) => socket.on('close', resolve))
  await new Promise((resolve, reject) => {
    socket.on('connect', resolve)
    socket.on('error', (error) => {
      client.error = error.code
      reject(error)
    })
  })
  return client
}

/** Says `text` and waits until `expected` has come, and nothing else. */
async function ask(client, text, expected) {
  const before = client.got
  client.socket.write(text)
  while (client.got.length < before.length + expected.length) await once(client.socket, 'data')
  assert.equal(client.got, before + expected)
}

test('bytes pass both ways, and are counted', async (t) => {
  const proxy = await proxyOf(t, await serverOf(t, 'a'))
  const client = await clientOf(t, proxy)
  await ask(client, 'hello', 'a:hello')
  assert.deepEqual(proxy.bytes, { up: 5, down: 7 })
  assert.equal(proxy.url, `redis://127.0.0.1:${proxy.port}`)
})

test('connections are counted while they are open and since the start', async (t) => {
  const proxy = await proxyOf(t, await serverOf(t, 'a'))
  const clients = [await clientOf(t, proxy), await clientOf(t, proxy)]
  for (const client of clients) await ask(client, 'x', 'a:x')
  assert.deepEqual([proxy.connections, proxy.accepted], [2, 2])
  await ask(clients[0], 'quit', 'bye')
  await clients[0].closed
  await ask(clients[1], 'x', 'a:x')
  assert.deepEqual([proxy.connections, proxy.accepted], [1, 2])
})

test('an end of the server and an end of the client are passed on', async (t) => {
  const server = await serverOf(t, 'a')
  const proxy = await proxyOf(t, server)
  const first = await clientOf(t, proxy)
  await ask(first, 'quit', 'bye')
  await first.closed
  assert.deepEqual([first.hasEnded, first.error], [true, undefined])
  const second = await clientOf(t, proxy)
  await ask(second, 'x', 'a:x')
  const [atServer] = server.sockets
  const closed = once(atServer, 'close')
  second.socket.end()
  await closed
})

test('a server that cannot be reached ends the connection', async (t) => {
  const server = await serverOf(t, 'a')
  server.server.close()
  const proxy = await proxyOf(t, server)
  const client = await clientOf(t, proxy)
  await client.closed
  assert.equal(client.error, 'ECONNRESET')
})

test('delay lets answers arrive later, and in their order', async (t) => {
  const proxy = await proxyOf(t, await serverOf(t, 'a'))
  const client = await clientOf(t, proxy)
  await ask(client, 'x', 'a:x')
  proxy.delay(200)
  const started = performance.now()
  client.socket.write('1')
  // A piece of its own, and no longer delayed; it must not overtake.
  await sleep(A_WHILE_MS)
  proxy.delay(0)
  await ask(client, '2', 'a:1a:2')
  // A timer may be a little early.
  assert.ok(performance.now() - started >= 190, `${performance.now() - started} ms`)
})

test('freeze holds back all bytes, also of new connections, and thaw passes them on', async (t) => {
  const server = await serverOf(t, 'a')
  const proxy = await proxyOf(t, server)
  const client = await clientOf(t, proxy)
  await ask(client, 'x', 'a:x')
  proxy.freeze()
  client.socket.write('1')
  const newcomer = await clientOf(t, proxy)
  newcomer.socket.write('2')
  await sleep(A_WHILE_MS)
  assert.deepEqual(server.heard, ['x'])
  assert.equal(newcomer.got, '')
  // Twice is the same as once.
  proxy.freeze()
  const answers = [client, newcomer].map(({ socket }) => once(socket, 'data'))
  proxy.thaw()
  assert.deepEqual(await Promise.all(answers), [['a:1'], ['a:2']])
})

test('a black hole swallows what open connections say and hear; new ones work', async (t) => {
  const server = await serverOf(t, 'a')
  const proxy = await proxyOf(t, server)
  const client = await clientOf(t, proxy)
  await ask(client, 'x', 'a:x')
  proxy.blackhole()
  client.socket.write('1')
  for (const socket of server.sockets) socket.end('late')
  const newcomer = await clientOf(t, proxy)
  await ask(newcomer, '2', 'a:2')
  await sleep(A_WHILE_MS)
  assert.deepEqual(server.heard, ['x', '2'])
  assert.deepEqual([client.got, client.hasEnded, client.error], ['a:x', false, undefined])
  assert.equal(client.socket.destroyed, false)
})

test('refuse turns new connections away and keeps open ones; accept takes them again', async (t) => {
  const proxy = await proxyOf(t, await serverOf(t, 'a'))
  const { port } = proxy
  const client = await clientOf(t, proxy)
  await ask(client, 'x', 'a:x')
  proxy.refuse()
  await assert.rejects(clientOf(t, proxy), { code: 'ECONNREFUSED' })
  await ask(client, 'y', 'a:y')
  await proxy.accept()
  await proxy.accept()
  assert.equal(proxy.port, port)
  await ask(await clientOf(t, proxy), 'z', 'a:z')
  await ask(client, 'z', 'a:z')
})

test('reset ends open connections by an RST', async (t) => {
  const proxy = await proxyOf(t, await serverOf(t, 'a'))
  const client = await clientOf(t, proxy)
  await ask(client, 'x', 'a:x')
  proxy.reset()
  await client.closed
  assert.deepEqual([client.error, proxy.connections], ['ECONNRESET', 0])
  await ask(await clientOf(t, proxy), 'y', 'a:y')
})

test('reset ends connections that are being ended while bytes are left', async (t) => {
  const proxy = await proxyOf(t, await serverOf(t, 'a'))
  const client = await clientOf(t, proxy)
  client.socket.pause()
  client.socket.write('flood')
  while (proxy.bytes.down < FLOOD_BYTES) await sleep(1)
  await sleep(A_WHILE_MS)
  assert.equal(proxy.connections, 1)
  proxy.reset()
  client.socket.resume()
  await client.closed
  assert.equal(proxy.connections, 0)
})

test('a dropped reply is one to something that was done, and takes its connection along', async (t) => {
  const server = await serverOf(t, 'a')
  const proxy = await proxyOf(t, server)
  proxy.dropReplies(2)
  for (const text of ['1', '2']) {
    const client = await clientOf(t, proxy)
    client.socket.write(text)
    await client.closed
    assert.deepEqual([client.got, client.error], ['', 'ECONNRESET'])
  }
  await ask(await clientOf(t, proxy), '3', 'a:3')
  assert.deepEqual(server.heard, ['1', '2', '3'])
})

test('another target is where new connections lead to', async (t) => {
  const proxy = await proxyOf(t, await serverOf(t, 'a'))
  const other = await serverOf(t, 'b')
  const client = await clientOf(t, proxy)
  await ask(client, 'x', 'a:x')
  proxy.target(other.port)
  await ask(await clientOf(t, proxy), 'x', 'b:x')
  await ask(client, 'y', 'a:y')
})

test('a proxy that was stopped refuses, and has ended what was open', async () => {
  const t = { after: (work) => cleanups.push(work) }
  const cleanups = []
  const proxy = await startProxy({ target: (await serverOf(t, 'a')).port })
  const client = await clientOf(t, proxy)
  proxy.freeze()
  await proxy.stop()
  await client.closed
  await assert.rejects(clientOf(t, proxy), { code: 'ECONNREFUSED' })
  await proxy.stop()
  for (const work of cleanups) await work()
})
