// What one process of the fleet saw: the ids it got, how long its callers waited, what failed, and
// when nothing came. The ids themselves go to a file, all of them.

import { closeSync, openSync, writeSync } from 'node:fs'
import { now } from './clock.mjs'

/** A time without an id that is shorter than this is none that anybody would notice. */
const LEAST_SILENCE_MS = 50
/** A caller that waited less was served from memory. */
const LEAST_WAIT_MS = 1
/** How many waits are told: the longest ones. */
const WAITS_TOLD = 1_000
const CODE_PREFIX = 'ERR_MINTID_'

export class Record {
  minted = 0
  /** When the last id came; 0 before the first. */
  lastAt = 0
  #out
  #waits = []
  #silentSince
  #silentAtLastMs = 0
  #silences = []
  #errors = new Map()
  #events = {}
  /** The machine numbers it held, one after another. */
  #machines = []

  constructor(file) {
    this.#out = openSync(file, 'w')
  }

  /** From here on it is a silence if no id comes. */
  begin() {
    this.#silentSince = now()
  }

  /** From here on nobody asks for ids. */
  rest() {
    this.#silentSince = undefined
  }

  /** So many ids came at `at`. */
  served(at, count = 1) {
    this.minted += count
    this.lastAt = at
    if (this.#silentSince === undefined) return
    if (at - this.#silentSince >= LEAST_SILENCE_MS) this.#silences.push([this.#silentSince, at])
    this.#silentSince = at
  }

  /** A caller waited, for an id or for an error. */
  waited(from, to) {
    if (to - from < LEAST_WAIT_MS) return
    this.#waits.push([from, to])
    if (this.#waits.length >= 2 * WAITS_TOLD) this.#waits = longest(this.#waits)
  }

  failed(error) {
    const code = shortCode(error)
    const seen = this.#errors.get(code)
    if (seen) seen.count++
    else this.#errors.set(code, { code, count: 1, example: describe(error) })
  }

  happened(event, { machine }) {
    this.#events[event] = (this.#events[event] ?? 0) + 1
    if (event === 'leaseAcquired') this.#machines.push(machine)
  }

  /** Writes ids down, so that they are not lost with the process. */
  write({ buffer, byteOffset, byteLength }) {
    for (let written = 0; written < byteLength; ) {
      const rest = new Uint8Array(buffer, byteOffset + written, byteLength - written)
      written += writeSync(this.#out, rest)
    }
  }

  /** No id comes any more. */
  end() {
    closeSync(this.#out)
    if (this.#silentSince === undefined) return
    this.#silences.push([this.#silentSince, now()])
    this.#silentAtLastMs = Math.round(now() - this.#silentSince)
  }

  report() {
    return {
      minted: this.minted,
      lastAt: this.lastAt,
      waits: longest(this.#waits),
      silences: this.#silences,
      silentAtLastMs: this.#silentAtLastMs,
      errors: [...this.#errors.values()],
      events: this.#events,
      machines: this.#machines,
    }
  }
}

const longest = (waits) =>
  waits.sort((one, other) => other[1] - other[0] - (one[1] - one[0])).slice(0, WAITS_TOLD)

const shortCode = ({ code, name }) => code?.replace(CODE_PREFIX, '') ?? name

/** An error and its causes, in one line. */
function describe(error) {
  const causes = []
  for (let each = error; each !== undefined; each = each.cause) {
    causes.push(`${shortCode(each)}: ${each.message}`)
  }
  return causes.join(' <- ')
}
