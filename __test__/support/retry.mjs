import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

const PAUSE_MS = 20

/** What a call gives in the end, of which every failure until then says that it may be retried. */
export async function retry(call) {
  for (;;) {
    try {
      return await call()
    } catch (error) {
      assert.ok(error.retryable, error)
      await sleep(PAUSE_MS)
    }
  }
}

/** Waits until a condition holds. The test's own time limit ends it. */
export async function until(condition) {
  while (!condition()) await sleep(PAUSE_MS)
}
