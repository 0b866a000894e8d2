// The processes that mint while something is done to their store, and the times at which that
// store was away.

import { join } from 'node:path'
import { now } from './clock.mjs'
import { Minter } from './minter.mjs'

const PROCESSES = 4
/** Longer than any pause between two tries of a process. */
const RESUME_LIMIT_MS = 15_000
/** Longer than any caller waits. */
const STOP_LIMIT_MS = 10_000

export class Fleet {
  /** Every process that was ever started. */
  minters = []
  /** `[from, to]` of each time in which nobody could have been served. */
  outages = []
  /** What went wrong, beside what the ids and the times show. */
  complaints = []
  #folder
  #options
  #snowflake

  /**
   * `folder` is where the ids are written; `options` are given to every process, and `snowflake`
   * are the options of Snowflake ids where those are minted.
   */
  constructor(folder, { options = {}, snowflake } = {}) {
    this.#folder = folder
    this.#options = options
    this.#snowflake = snowflake
  }

  /** How many ids were got so far, by all. */
  get minted() {
    return this.minters.reduce((sum, { minted }) => sum + minted, 0)
  }

  /**
   * Starts processes that mint from `store`, or one for each of several stores, and waits until
   * each of them has got its first id. `how` is what a `Minter` may be told beside.
   */
  async start(store, options, how) {
    const stores = Array.isArray(store) ? store : Array(PROCESSES).fill(store)
    const minters = await Promise.all(stores.map((each) => this.#add(each, options, how)))
    for (const minter of minters) minter.mint()
    await this.resumed(minters)
    return minters
  }

  /** A process that knows nothing of what was before it, and mints when it is told to. */
  newcomer(store, options, how) {
    return this.#add(store, options, how)
  }

  /**
   * A process that has got some ids and then asks for none, until it is told to mint again: it has
   * seen nothing of what the others were granted meanwhile.
   */
  async sleeper(store, options) {
    const minter = await this.#add(store, options)
    minter.mint()
    await this.resumed([minter])
    minter.rest()
    return minter
  }

  /**
   * Lets `leaders` be the first that come to the store after `work`: all others stand still until
   * each of them has got an id.
   */
  async lead(leaders, work) {
    const others = this.minters.filter((minter) => !minter.isOver && !leaders.includes(minter))
    for (const minter of others) minter.pause()
    try {
      await work()
      for (const minter of leaders) minter.mint()
      await this.resumed(leaders)
    } finally {
      for (const minter of others) minter.resume()
    }
  }

  /** Does what takes the store away and brings it back. */
  async away(work) {
    const from = now()
    try {
      return await work()
    } finally {
      this.outages.push([from, now()])
    }
  }

  /** Waits until each process that is expected to has got an id again, and complains if one has not. */
  async resumed(minters = this.#expected(), limitMs = RESUME_LIMIT_MS) {
    const begin = now()
    await Promise.all(
      minters.map(async (minter) => {
        if (await minter.mintsAgain(limitMs)) return
        // The judgement names those that ended.
        if (minter.isOver) return
        const seconds = ((now() - begin) / 1_000).toFixed(1)
        this.complaints.push(`${minter.name} got no id within ${seconds} s after a fault`)
      }),
    )
  }

  /** Ends those that are still there, in order. */
  async stop(minters = this.minters) {
    await Promise.all(minters.map((minter) => minter.stop(STOP_LIMIT_MS)))
  }

  async #add(store, options, how) {
    const number = this.minters.length + 1
    const file = join(this.#folder, `${number}.ids`)
    const minter = new Minter({
      name: `process ${number}`,
      store,
      options: { ...options, ...this.#options },
      snowflake: this.#snowflake,
      file,
      ...how,
    })
    this.minters.push(minter)
    await minter.ready
    return minter
  }

  /** Those that are meant to mint. */
  #expected() {
    return this.minters.filter(
      ({ isMinting, mayBeRefused, isOver }) => isMinting && !mayBeRefused && !isOver,
    )
  }
}
