// The mixed load: processes that mint, and the harm that is done to them.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Minter } from './minter.mjs'
import { Seen } from './seen.mjs'

const GENERATOR = 'orders'
/** The pauses between two harms, and the length of one that is a pause itself, in ms. */
const HARM_EVERY = { least: 200, most: 1_500 }
/** Longer than callers wait, so that they fail where the store's lock is held by who is paused. */
const PAUSE = { least: 50, most: 4_000 }
const LOOK_EVERY_MS = 20
/** In a short run, each is at most this part of it. */
const LARGEST_PART = 1 / 8

/** Each process has one of its own: who shares a counter need not share its policy. */
const POLICIES = [
  { step: 100 },
  { step: 10, lookahead: 0 },
  { step: 50, keep: 500 },
  { step: 100, lookahead: 50, rangeTtl: 100 },
  { policy: 'fixed', step: 7 },
  { policy: 'proportional', preload: 500, stepMax: 5_000 },
  { policy: 'doubling', fetchDuration: 500, stepMax: 5_000 },
]

/** What is done in turn, to any process. */
const HARMS = ['kill', 'pause', 'kill', 'terminate']

export class Load {
  /** What has been done so far. */
  harmed = { kill: 0, pause: 0, terminate: 0 }
  seen = new Seen()
  #options
  #folder
  #store
  #minters = []
  #started = 0
  #isOver = false
  #break
  /** What the processes that have ended did. */
  #before = { minted: 0, refused: 0 }

  constructor(options, folder) {
    this.#options = options
    this.#folder = folder
    this.#store = options.store ?? `sqlite:${join(folder, 'ids.db')}`
  }

  /** How many ids were taken so far, and how many calls failed that may be retried. */
  get figures() {
    return this.#minters.reduce((sum, { figures }) => added(sum, figures), this.#before)
  }

  get started() {
    return this.#started
  }

  async run(ms) {
    const broken = new Promise((_, reject) => {
      this.#break = reject
    })
    try {
      for (let i = 0; i < this.#options.processes; i++) this.#minters.push(this.#start())
      await Promise.race([this.#live(ms), broken])
    } finally {
      this.#isOver = true
      await Promise.all(this.#minters.map((minter) => minter.kill()))
    }
  }

  /** Does harm until the end, and ends those that are left in order. */
  async #live(ms) {
    // On a busy machine the first of them may not have begun when a short run is over.
    while (!this.#isOver && this.#minters.some(({ figures }) => figures.minted === 0)) {
      await sleep(LOOK_EVERY_MS)
    }
    await this.#harm(performance.now() + ms, ms * LARGEST_PART)
    if (this.#isOver) return
    await Promise.all(this.#minters.map((minter) => minter.stop()))
    for (const minter of this.#minters) minter.collect(this.seen)
  }

  #start() {
    const number = this.#started++
    const job = {
      store: this.#store,
      generator: GENERATOR,
      options: POLICIES[number % POLICIES.length],
      workers: this.#options.workers,
    }
    return new Minter(join(this.#folder, String(number)), job, this.#break)
  }

  async #harm(end, longest) {
    for (let turn = 0; ; turn++) {
      await sleep(between(HARM_EVERY, Math.min(longest, end - performance.now())))
      if (this.#isOver || performance.now() >= end) return
      const harm = HARMS[turn % HARMS.length]
      this.harmed[harm]++
      const at = Math.floor(Math.random() * this.#minters.length)
      if (harm === 'kill') await this.#replace(at)
      else if (harm === 'terminate') this.#minters[at].terminateWorker()
      else await this.#pause(this.#minters[at], longest)
    }
  }

  async #replace(at) {
    const killed = this.#minters[at]
    await killed.kill()
    if (!this.#isOver) this.#minters[at] = this.#start()
    this.#before = added(this.#before, killed.figures)
    killed.collect(this.seen)
  }

  async #pause(minter, longest) {
    minter.pause()
    await sleep(between(PAUSE, longest))
    minter.resume()
  }
}

const added = (one, other) => ({
  minted: one.minted + other.minted,
  refused: one.refused + other.refused,
})

/** A time that chance gives, of which none is longer than `longest`. */
const between = ({ least, most }, longest) =>
  Math.max(0, Math.min(least + Math.random() * (most - least), longest))
