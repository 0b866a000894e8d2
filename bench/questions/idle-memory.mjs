// What a generator costs that was made and has not been used.
//
// The first ten thousand of a process also pay for its growing up: the heap grows in steps, and
// code is compiled. Those that follow tell what one costs by itself.

import { fileURLToPath } from 'node:url'
import { createIds } from 'mintid'
import { isMain } from '../../scripts/steps.mjs'
import { answer, runNode } from '../programs.mjs'
import { medians } from '../rounds.mjs'

const COUNT = 10_000
/** When the collector runs is a matter of chance. */
const PROCESSES = 5
/** So that what is made once is there before the count begins. */
const WARM_UP = 200

export const question = {
  name: 'idleMemory',
  title: 'RSS of 10,000 generators made and not used yet, each',
  unit: 'KiB',
  limit: 2,
  async ask() {
    const answers = []
    for (let i = 0; i < PROCESSES; i++) {
      const file = fileURLToPath(import.meta.url)
      answers.push(await runNode(process.execPath, file, ['--expose-gc']))
    }
    const detail = medians(answers)
    return [{ name: question.name, figure: detail.first, limit: question.limit, detail }]
  },
}

if (isMain(import.meta.url)) {
  const ids = createIds('memory:')
  const generators = []
  const make = (count) => {
    for (let i = 0; i < count; i++) generators.push(ids.segment(`orders-${generators.length}`))
    globalThis.gc()
    return process.memoryUsage.rss() / 1024
  }
  const sizes = [make(WARM_UP), make(COUNT), make(COUNT)]
  const [first, next] = [1, 2].map((i) => (sizes[i] - sizes[i - 1]) / COUNT)
  answer({ first, next, generators: generators.length })
  await ids.close()
}
