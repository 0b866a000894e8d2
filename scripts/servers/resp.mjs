// A client of Redis's protocol, version 2, as small as tests need it: independent of the driver
// that is tested with it.

import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'

/** A server that is frozen gives no answer: whoever asks it is told so. */
const ANSWER_MS = 10_000

const CRLF = Buffer.from('\r\n')

/** An error that the server replied. */
export class ReplyError extends Error {}

/** One connection, made at once. It does not keep the process, except while an answer is due. */
export class Connection {
  #socket
  #waiting = []
  #received = Buffer.alloc(0)
  #broken

  /** `tls` holds the options of `node:tls`; without it the connection is a plain one. */
  constructor({ port, tls }) {
    const place = { host: '127.0.0.1', port }
    this.#socket = tls ? connectTls({ ...place, ...tls }) : connect(place)
    this.#socket.setNoDelay(true)
    this.#socket.unref()
    this.#socket.on('data', (bytes) => this.#read(bytes))
    this.#socket.on('error', (error) => this.#break(error))
    this.#socket.on('close', () => this.#break(new Error(`port ${port} closed the connection`)))
  }

  get isBroken() {
    return this.#broken !== undefined
  }

  /**
   * Sends one command. Texts come back as strings, integers as bigints, nothing as null; an error
   * of the server rejects with its text.
   */
  call(...words) {
    if (this.isBroken) return Promise.reject(this.#broken)
    this.#socket.write(encoded(words))
    this.#socket.ref()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => this.#break(new Error(`no answer to ${words[0]} within ${ANSWER_MS} ms`)),
        ANSWER_MS,
      )
      this.#waiting.push({ resolve, reject, timer })
    })
  }

  close() {
    this.#break(new Error('the connection was closed'))
  }

  #read(bytes) {
    this.#received = Buffer.concat([this.#received, bytes])
    for (;;) {
      const reply = parsed(this.#received, 0)
      if (reply === undefined) return
      this.#received = this.#received.subarray(reply.end)
      const waiting = this.#waiting.shift()
      if (this.#waiting.length === 0) this.#socket.unref()
      if (waiting === undefined) continue
      clearTimeout(waiting.timer)
      if (reply.value instanceof ReplyError) waiting.reject(reply.value)
      else waiting.resolve(reply.value)
    }
  }

  /** Without it the answers that are still due would be taken for those of later commands. */
  #break(error) {
    if (this.isBroken) return
    this.#broken = error
    this.#socket.destroy()
    for (const { reject, timer } of this.#waiting.splice(0)) {
      clearTimeout(timer)
      reject(error)
    }
  }
}

function encoded(words) {
  const parts = words.map((word) => Buffer.from(String(word)))
  const lines = parts.flatMap((part) => [Buffer.from(`$${part.length}\r\n`), part, CRLF])
  return Buffer.concat([Buffer.from(`*${words.length}\r\n`), ...lines])
}

/** One reply and where it ends; undefined while a part of it is missing. */
function parsed(bytes, start) {
  const lineEnd = bytes.indexOf(CRLF, start)
  if (lineEnd < 0) return undefined
  const line = bytes.toString('utf8', start + 1, lineEnd)
  const end = lineEnd + CRLF.length
  switch (String.fromCharCode(bytes[start])) {
    case '+':
      return { value: line, end }
    case '-':
      return { value: new ReplyError(line), end }
    case ':':
      return { value: BigInt(line), end }
    case '$':
      return text(bytes, end, Number(line))
    case '*':
      return list(bytes, end, Number(line))
    default:
      throw new Error(`no reply of this protocol: ${line}`)
  }
}

function text(bytes, start, length) {
  if (length < 0) return { value: null, end: start }
  const end = start + length + CRLF.length
  if (bytes.length < end) return undefined
  return { value: bytes.toString('utf8', start, start + length), end }
}

function list(bytes, start, length) {
  if (length < 0) return { value: null, end: start }
  const value = []
  let end = start
  while (value.length < length) {
    const item = parsed(bytes, end)
    if (item === undefined) return undefined
    value.push(item.value)
    end = item.end
  }
  return { value, end }
}
