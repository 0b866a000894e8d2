// The types of `mintid/testing`. Compiled, never run.

import type { Ids } from 'mintid'
import { createTestIds, type TestClock, type TestIds, type TestStore } from 'mintid/testing'
import { is } from './support/types.js'

export async function bench(): Promise<void> {
  const { ids, store, clock } = createTestIds({ namespace: 'shop', jump: 1000 })
  is<TestIds>()(createTestIds())
  is<Ids>()(ids)
  is<TestStore>()(store)
  is<TestClock>()(clock)
  // @ts-expect-error: an unknown option
  createTestIds({ url: 'memory:' })
  // @ts-expect-error: which store it is has been decided
  createTestIds('memory:')
}

export function switches(store: TestStore): void {
  is<number>()(store.calls)
  store.failNext()
  store.failNext(2, 'the disk is full')
  store.loseNextReply(2)
  store.goBack('orders', 5n)
  store.goBack('orders', '5')
  is<boolean>()(store.seal('orders'))
  // @ts-expect-error: ids are bigint or text
  store.goBack('orders', 5)
  // @ts-expect-error: how slow?
  store.delay()
  // @ts-expect-error: it is counted by the store
  store.calls = 0
}

export async function time(clock: TestClock): Promise<void> {
  is<number>()(clock.now())
  is<void>()(await clock.advance(100))
  is<void>()(await clock.walk(-100))
  // @ts-expect-error: by how much?
  clock.advance()
  // @ts-expect-error: milliseconds are numbers
  clock.advance(100n)
}
