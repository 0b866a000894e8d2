// How much an awaited id costs, beside the least that an awaited bigint can cost.

import { fileURLToPath } from 'node:url'
import { createIds } from 'mintid'
import { isMain } from '../../scripts/steps.mjs'
import { Growing, waste } from '../checks.mjs'
import { answer } from '../programs.mjs'
import { measure } from '../rounds.mjs'
import { askVersions } from '../versions.mjs'

export const question = {
  name: 'next',
  title: 'awaited next() ÷ await Promise.resolve(n++) with a bigint',
  unit: '×',
  limit: 0.9,
  aim: 0.75,
  ask: ({ nodes }) =>
    askVersions({
      question,
      nodes,
      file: fileURLToPath(import.meta.url),
      toFigure: (ns) => ns.next / ns.floor,
    }),
}

if (isMain(import.meta.url)) {
  const ids = createIds('memory:')
  const orders = ids.segment('orders')
  const growing = new Growing()
  let n = 1n

  const loops = {
    async next(count) {
      let last
      for (let i = 0; i < count; i++) last = await orders.next()
      return last
    },
    async floor(count) {
      let last
      for (let i = 0; i < count; i++) last = await Promise.resolve(n++)
      return last
    },
  }
  const check = (name, last, count) => name === 'next' && growing.advance(last, count)
  const ns = await measure(loops, { check })
  answer({ ...ns, node: process.version, ...waste(orders.stats()) })
  await ids.close()
}
