// The switches of a store that fails to order.

import type { TestStore } from '../../testing.js'
import type { NativeTestBenchHandle as NativeTestBench } from '../binding.js'
import { called } from '../errors.js'
import { checkId } from '../id.js'
import { checkMs, checkText, checkTimes } from './checks.js'

const AWAY = 'it is away'

export class Store implements TestStore {
  readonly #bench: NativeTestBench

  constructor(bench: NativeTestBench) {
    this.#bench = bench
  }

  get calls(): number {
    return this.#bench.calls
  }

  failNext(n = 1, message = AWAY): void {
    this.#bench.failNext(checkTimes(n), checkText('message', message))
  }

  fail(message = AWAY): void {
    this.#bench.fail(checkText('message', message))
  }

  loseNextReply(n = 1): void {
    this.#bench.loseNextReply(checkTimes(n))
  }

  hang(): void {
    this.#bench.hang()
  }

  delay(ms: number): void {
    this.#bench.delay(checkMs(ms))
  }

  recover(): void {
    this.#bench.recover()
  }

  goBack(name: string, value: bigint | string): void {
    const text = checkText('name', name)
    called(() => this.#bench.goBack(text, checkId(text, value)))
  }

  wipe(): void {
    this.#bench.wipe()
  }

  seal(name: string): boolean {
    const text = checkText('name', name)
    return called(() => this.#bench.seal(text))
  }
}
