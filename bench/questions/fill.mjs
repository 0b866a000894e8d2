// How much an id costs in an array that the caller fills again and again.

import { fileURLToPath } from 'node:url'
import { createIds } from 'mintid'
import { isMain } from '../../scripts/steps.mjs'
import { Growing, waste } from '../checks.mjs'
import { answer } from '../programs.mjs'
import { measure } from '../rounds.mjs'
import { askVersions } from '../versions.mjs'

const SIZE = 100_000

export const question = {
  name: 'fill',
  title: 'fill(array of 100,000)',
  unit: 'ns an id',
  limit: 0.6,
  ask: ({ nodes }) =>
    askVersions({
      question,
      nodes,
      file: fileURLToPath(import.meta.url),
      toFigure: ({ fill }) => fill / SIZE,
    }),
}

if (isMain(import.meta.url)) {
  const ids = createIds('memory:')
  const orders = ids.segment('orders')
  const growing = new Growing()
  const array = new BigUint64Array(SIZE)

  const loops = {
    async fill(count) {
      for (let i = 0; i < count; i++) await orders.fill(array)
      return array
    },
  }
  // Short, or the refills would work ahead while nothing is measured.
  const check = (_, filled) => {
    growing.advance(filled[0], 1)
    growing.advance(filled[SIZE - 1], SIZE - 1)
  }
  const { fill } = await measure(loops, { check })
  growing.advanceAll(await orders.fill(array))
  const { waits, refills, ...stats } = orders.stats()
  answer({ fill, node: process.version, waits, refills, ...waste(stats) })
  await ids.close()
}
