// What mints in one realm, which is a process or one of its threads: callers take ids at a steady
// pace while they are told to, and go on whatever fails.

import { setTimeout as sleep } from 'node:timers/promises'
import { createIds } from 'mintid'
import { now } from './clock.mjs'
import { Record } from './record.mjs'

const GENERATOR = 'orders'
/** Small, so that many ranges are reserved: each is a chance of being granted twice. */
const SEGMENT = { step: 100, lookahead: 20 }
const EVENTS = ['refill', 'refillFailed', 'jumped', 'storeWentBack', 'created']
const LEASE_EVENTS = ['leaseAcquired', 'leaseLost', 'clockBackwards']

/** So many callers, each with so many ids and then a pause: some 3,000 ids a second. */
const CALLERS = 16
const BURST = 16
const PAUSE_MS = { least: 40, most: 120 }
/** Of so many bursts one is a batch. */
const BATCH_EVERY = 16
const BATCH = 50

export class Realm {
  #record
  #ids
  #orders
  #callers
  #word = 'rest'
  #changed
  #change

  /** Snowflake ids with the options `snowflake`, or segments without any; ids go to `file`. */
  constructor({ store, options, snowflake, file, callers = CALLERS }) {
    this.#record = new Record(file)
    this.#ids = createIds(store, options)
    this.#orders = snowflake
      ? this.#ids.snowflake(GENERATOR, snowflake)
      : this.#ids.segment(GENERATOR, SEGMENT)
    for (const event of snowflake ? LEASE_EVENTS : EVENTS) {
      this.#ids.on(event, (told) => this.#record.happened(event, told))
    }
    this.#await()
    this.#callers = Array.from({ length: callers }, (_, number) => this.#call(number))
  }

  /** How far it is: how many ids, when the last one came, and under which machine number. */
  get progress() {
    const { minted, lastAt } = this.#record
    return { minted, lastAt, machine: this.#orders.machine }
  }

  /** Says `mint` or `rest` to the callers. */
  tell(word) {
    if (word === 'mint') this.#record.begin()
    if (word === 'rest') this.#record.rest()
    this.#word = word
    this.#change()
    this.#await()
  }

  /** Ends it after the callers that wait, and gives what it saw. */
  async stop() {
    this.tell('stop')
    await Promise.all(this.#callers)
    this.#record.end()
    await this.#ids.close()
    return this.#record.report()
  }

  #await() {
    this.#changed = new Promise((resolve) => {
      this.#change = resolve
    })
  }

  async #call(number) {
    for (let turn = number; this.#word !== 'stop'; turn++) {
      if (this.#word === 'rest') {
        await this.#changed
        continue
      }
      await (turn % BATCH_EVERY === 0 ? this.#takeBatch() : this.#takeOneByOne())
      await sleep(PAUSE_MS.least + Math.random() * (PAUSE_MS.most - PAUSE_MS.least))
    }
  }

  async #takeBatch() {
    const batch = await this.#measured(() => this.#orders.nextBatch(BATCH))
    if (batch !== undefined) this.#record.write(batch)
  }

  async #takeOneByOne() {
    for (let taken = 0; taken < BURST; taken++) {
      const id = await this.#measured(() => this.#orders.next())
      if (id === undefined) return
      // At once: what is minted last before a kill is what somebody else might mint again.
      this.#record.write(BigUint64Array.of(id))
    }
  }

  /** What a call gives, or nothing where it fails. */
  async #measured(take) {
    const started = now()
    try {
      const taken = await take()
      this.#record.served(now(), taken.length)
      return taken
    } catch (error) {
      this.#record.failed(error)
    } finally {
      this.#record.waited(started, now())
    }
  }
}
