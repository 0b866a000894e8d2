// What tests of stores on Redis share: servers and generators that end with their test, and
// servers that are none.

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createIds } from 'mintid'
import { freePort } from '../../scripts/servers/ports.mjs'
import { startProxy } from '../../scripts/servers/proxy.mjs'
import { assertFails } from './failure.mjs'
import { server } from './servers.mjs'

const HOST = '127.0.0.1'
const UNAVAILABLE = 'ERR_MINTID_RANGE_UNAVAILABLE'

/** The ports that tests of this process had. */
const taken = new Set()

/**
 * A port that no test of this process had: what the process has seen a store grant it remembers
 * for ever, and another store in the same place is one that went back.
 */
export async function freshPort() {
  for (;;) {
    const port = await freePort()
    if (!taken.has(port)) {
      taken.add(port)
      return port
    }
  }
}

/** A server that ends with the test; `options` are those of `startRedis`. */
export async function ownServer(t, options) {
  return server(t, { port: await freshPort(), ...options })
}

/** A proxy in front of a server, which ends with the test. */
export async function proxyTo(t, own) {
  for (;;) {
    const proxy = await startProxy({ target: own.port })
    t.after(() => proxy.stop())
    if (!taken.has(proxy.port)) {
      taken.add(proxy.port)
      return proxy
    }
  }
}

/** The generators of a store, which are closed with the test. */
export function idsOf(t, url, options) {
  const ids = createIds(url, options)
  t.after(() => ids.close())
  return ids
}

/**
 * The failure of a call for ids that got none for a reason that may pass: the one behind it, which
 * must have this code.
 */
export async function assertUnavailable(call, code) {
  const { cause, message, retryable } = await assertFails(call, UNAVAILABLE)
  assert.equal(retryable, true)
  assert.equal(cause?.code, code, message)
  return cause
}

/** Waits for a call and holds it against the longest it may take. */
export async function within(ms, call) {
  const started = performance.now()
  const result = await call()
  const elapsed = performance.now() - started
  assert.ok(elapsed <= ms, `${Math.round(elapsed)} ms, of ${ms}`)
  return result
}

/** The fields of a hash with what a store writes beside counters left out. */
export async function countersOf(server, hash = 'kvid') {
  const words = (await server.call('HGETALL', hash)) ?? []
  const pairs = words.flatMap((word, at) => (at % 2 === 0 ? [[word, words[at + 1]]] : []))
  return Object.fromEntries(pairs.filter(([field]) => !field.startsWith('#')))
}

/**
 * A server that stands before another one, of which `change(reply, words)` changes the replies:
 * texts, bigints, null, arrays, and errors. A reply of bytes is sent as it is.
 */
export async function tamperedServer(t, own, change) {
  return listening(t, (socket) => {
    let received = ''
    let turn = Promise.resolve()
    socket.setEncoding('latin1').on('data', (text) => {
      received += text
      for (;;) {
        const command = commandIn(received)
        if (command === undefined) return
        received = received.slice(command.end)
        turn = turn.then(async () => {
          const reply = await own.call(...command.words).catch((error) => error)
          socket.write(encoded(change(reply, command.words)))
        })
      }
    })
  })
}

/** A server that ends its connections as soon as it has accepted them. */
export const endingServer = (t) => listening(t, (socket) => socket.end())

/** A server that answers whatever it is told with the same text, or with nothing. */
export const talkingServer = (t, text) =>
  listening(t, (socket) => socket.on('data', () => text && socket.write(text)))

/** A listener on a free port that ends with the test, and counts what it `accepted`. */
async function listening(t, serve) {
  const sockets = new Set()
  const listener = createServer((socket) => {
    place.accepted++
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
    serve(socket)
  })
  const port = await freshPort()
  const place = { port, url: `redis://${HOST}:${port}`, accepted: 0 }
  listener.listen(port, HOST)
  await once(listener, 'listening')
  t.after(() => {
    listener.close()
    for (const socket of sockets) socket.destroy()
  })
  return place
}

function encoded(reply) {
  if (Buffer.isBuffer(reply)) return reply
  if (reply === null) return '$-1\r\n'
  if (reply instanceof Error) return `-${reply.message}\r\n`
  if (typeof reply === 'bigint') return `:${reply}\r\n`
  if (Array.isArray(reply)) return `*${reply.length}\r\n${reply.map(encoded).join('')}`
  return `$${Buffer.byteLength(reply)}\r\n${reply}\r\n`
}

/** The first command of what was received and where it ends; undefined while it is not whole. */
function commandIn(text) {
  const head = /^\*(\d+)\r\n/.exec(text)
  if (head === null) return undefined
  const words = []
  let end = head[0].length
  for (let count = Number(head[1]); count > 0; count--) {
    const length = /^\$(\d+)\r\n/.exec(text.slice(end))
    if (length === null) return undefined
    const start = end + length[0].length
    end = start + Number(length[1]) + 2
    if (text.length < end) return undefined
    words.push(text.slice(start, end - 2))
  }
  return { words, end }
}
