// A TCP proxy in front of a server, which does to connections what networks do: delays them, falls
// silent, swallows what is sent, refuses, resets. It is for tests: nothing limits what it holds
// back for a peer that does not read.

import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './ports.mjs'

const HOST = '127.0.0.1'

/** A proxy on a free port that leads to the port `target`. */
export async function startProxy({ target }) {
  const proxy = new TcpProxy(target, await freePort())
  await proxy.accept()
  return proxy
}

class TcpProxy {
  /** Its port, which stays the same while it refuses and accepts. */
  port
  /** How many connections it has accepted since it was started. */
  accepted = 0
  /** What it has passed on: to the server, and from it. */
  bytes = { up: 0, down: 0 }
  #target
  #listener
  #links = new Set()
  #delayMs = 0
  /** Settled while bytes may pass. */
  #gate = Promise.resolve()
  #openGate = () => {}
  #repliesToDrop = 0

  constructor(target, port) {
    this.#target = target
    this.port = port
  }

  get url() {
    return `redis://${HOST}:${this.port}`
  }

  /** How many connections are open. */
  get connections() {
    return this.#links.size
  }

  /** Leads new connections to another port. Those that are open stay where they are. */
  target(port) {
    this.#target = port
  }

  /** From now on whatever the server says arrives `ms` later, and in its order. */
  delay(ms) {
    this.#delayMs = ms
  }

  /** Holds every byte back, both ways, also on new connections, as a server does that stands still. */
  freeze() {
    // Those that wait already wait for the first gate.
    this.thaw()
    this.#gate = new Promise((resolve) => {
      this.#openGate = resolve
    })
  }

  /** Passes on what was held back, and lets the rest through. */
  thaw() {
    this.#openGate()
    this.#gate = Promise.resolve()
  }

  /** The connections that are open swallow all bytes for ever, and never end. New ones work. */
  blackhole() {
    for (const link of this.#links) link.isSwallowing = true
  }

  /** Refuses new connections. Those that are open stay. */
  refuse() {
    // The listener itself ends with its last connection, for which nobody waits.
    this.#listener?.close()
    this.#listener = undefined
  }

  /** Accepts connections (again). */
  async accept() {
    if (this.#listener !== undefined) return
    const listener = createServer({ allowHalfOpen: true }, (client) => this.#link(client))
    this.#listener = listener
    listener.listen(this.port, HOST)
    await once(listener, 'listening')
  }

  /** Ends every open connection at once by an RST. */
  reset() {
    for (const link of this.#links) link.cut()
  }

  /**
   * Loses the next `n` answers on their way, each with its connection: the command has run, and its
   * caller cannot know it. An answer is what the server sends in one piece.
   */
  dropReplies(n) {
    this.#repliesToDrop = n
  }

  async stop() {
    this.refuse()
    const closed = [...this.#links].map((link) => link.closed)
    this.reset()
    this.thaw()
    await Promise.all(closed)
  }

  #link(client) {
    this.accepted++
    const link = new Link(client, connect({ host: HOST, port: this.#target, allowHalfOpen: true }))
    this.#links.add(link)
    link.closed.then(() => this.#links.delete(link))
    this.#carry(link, link.client, link.server, (chunk) => {
      this.bytes.up += chunk.length
      link.server.write(chunk)
    })
    this.#carry(link, link.server, link.client, (chunk) => this.#answer(link, chunk))
  }

  /** Hands on what one side says, in its order: bytes, its end, its failure. */
  #carry(link, from, to, pass) {
    let turn = Promise.resolve()
    const inTurn = (work) => {
      const due = performance.now() + (from === link.server ? this.#delayMs : 0)
      turn = turn.then(async () => {
        const rest = due - performance.now()
        if (rest > 0) await sleep(rest, undefined, { ref: false })
        await this.#gate
        if (!link.isSwallowing) work()
      })
    }
    from.on('data', (chunk) => inTurn(() => pass(chunk)))
    from.on('end', () => inTurn(() => to.end()))
    from.on('error', () => inTurn(() => link.cut()))
    // A client that has gone is gone: nobody is left from whom it could be hidden.
    if (from === link.client) from.on('close', () => link.server.destroy())
  }

  #answer(link, chunk) {
    if (this.#repliesToDrop > 0) {
      this.#repliesToDrop--
      link.cut()
      return
    }
    this.bytes.down += chunk.length
    link.client.write(chunk)
  }
}

/** A connection of a client, and the one to the server that belongs to it. */
class Link {
  /** Whether nothing passes any more, and nothing ends. */
  isSwallowing = false

  constructor(client, server) {
    this.client = client
    this.server = server
    for (const socket of [client, server]) socket.setNoDelay(true)
    // Not `once` of events, which fails where a client ends by an error.
    this.closed = new Promise((resolve) => client.on('close', resolve))
  }

  cut() {
    for (const socket of [this.client, this.server]) {
      // One that is being ended cannot be reset: trying to would leave it open for ever.
      if (socket.writableEnded) socket.destroy()
      else socket.resetAndDestroy()
    }
  }
}
