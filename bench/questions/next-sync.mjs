// How much an id costs that is not awaited, beside counting a bigint up.

import { fileURLToPath } from 'node:url'
import { createIds } from 'mintid'
import { isMain } from '../../scripts/steps.mjs'
import { Growing, waste } from '../checks.mjs'
import { answer } from '../programs.mjs'
import { measure } from '../rounds.mjs'
import { askVersions } from '../versions.mjs'

/** Half of what one reservation brings at most: with so many at hand, no round can run dry. */
const MOST = 500_000

export const question = {
  name: 'nextSync',
  title: 'nextSync() ÷ a bigint k++, both kept in a local of the loop',
  unit: '×',
  limit: 0.5,
  ask: ({ nodes }) =>
    askVersions({
      question,
      nodes,
      file: fileURLToPath(import.meta.url),
      toFigure: (ns) => ns.nextSync / ns.floor,
    }),
}

if (isMain(import.meta.url)) {
  const ids = createIds('memory:')
  const orders = ids.segment('orders', { keep: MOST })
  const growing = new Growing()
  let start = 1n

  const loops = {
    nextSync(count) {
      let last
      for (let i = 0; i < count; i++) last = orders.nextSync()
      return last
    },
    floor(count) {
      let k = start
      let last
      for (let i = 0; i < count; i++) last = k++
      start = k
      return last
    },
  }
  const check = (name, last, count) => name === 'nextSync' && growing.advance(last, count)
  const ns = await measure(loops, { before: (count) => orders.ready({ count }), check, most: MOST })
  answer({ ...ns, node: process.version, ...waste(orders.stats()) })
  await ids.close()
}
