// How often JavaScript calls into the addon in a long loop of awaited ids.

import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { createIds } from 'mintid'
import { HOST } from '../../scripts/platforms.mjs'
import { isMain } from '../../scripts/steps.mjs'
import { Growing, waste } from '../checks.mjs'
import { answer, runNode } from '../programs.mjs'

const COUNT = 1_000_000
/** Long enough for the rate to be known, and the segments to have grown with it. */
const WARM_UP = 10_000_000

export const question = {
  name: 'nativeCalls',
  title: 'native calls per id in a loop of 1,000,000 awaited next()',
  unit: 'calls an id',
  limit: 1 / 512,
  async ask() {
    const detail = await runNode(process.execPath, fileURLToPath(import.meta.url))
    return [{ name: question.name, figure: detail.calls / COUNT, limit: question.limit, detail }]
  },
}

/**
 * Counts every call of the class behind a generator. The only place that reaches past the public
 * package: a call into the addon cannot be seen from outside.
 */
function countCalls() {
  const { NativeSegment } = createRequire(import.meta.url)(`../../${HOST.file}`)
  const calls = {}
  for (const name of Object.getOwnPropertyNames(NativeSegment.prototype)) {
    const { value, ...descriptor } = Object.getOwnPropertyDescriptor(NativeSegment.prototype, name)
    if (name === 'constructor' || typeof value !== 'function') continue
    const counted = function (...args) {
      calls[name] = (calls[name] ?? 0) + 1
      return value.apply(this, args)
    }
    Object.defineProperty(NativeSegment.prototype, name, { ...descriptor, value: counted })
  }
  return calls
}

if (isMain(import.meta.url)) {
  const calls = countCalls()
  const ids = createIds('memory:')
  const orders = ids.segment('orders')
  const growing = new Growing()

  let last = 0n
  for (let i = 0; i < WARM_UP; i++) last = await orders.next()
  growing.advance(last, WARM_UP)
  const before = { ...calls }
  // Each id is compared with the one before it: what is counted here is no time.
  for (let i = 0; i < COUNT; i++) growing.advance(await orders.next(), 1)
  const made = Object.entries(calls).map(([name, count]) => [name, count - (before[name] ?? 0)])
  const sum = made.reduce((total, [, count]) => total + count, 0)
  answer({ calls: sum, ...Object.fromEntries(made), ...waste(orders.stats()) })
  await ids.close()
}
