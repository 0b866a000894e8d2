// What a whole process takes that mints one id from a new file, beyond one that does nothing.

import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../../scripts/folder.mjs'
import { isMain } from '../../scripts/steps.mjs'
import { answer, runNode } from '../programs.mjs'
import { medians } from '../rounds.mjs'

const PROCESSES = 21

export const question = {
  name: 'coldStartSqlite',
  title: 'a process that mints one id on SQLite, beyond a bare one',
  unit: 'ms',
  limit: 40,
  async ask() {
    const file = fileURLToPath(import.meta.url)
    const folder = temporaryFolder('cold-start')
    const took = async (...args) => {
      const started = performance.now()
      await runNode(process.execPath, file, [], args)
      return performance.now() - started
    }
    const answers = []
    for (let i = 0; i < PROCESSES; i++) {
      const minting = await took(`sqlite:${join(folder, `${i}.db`)}`)
      const bare = await took()
      answers.push({ minting, bare, more: minting - bare })
    }
    const { more, ...detail } = medians(answers)
    return [{ name: question.name, figure: more, limit: question.limit, detail }]
  },
}

if (isMain(import.meta.url)) {
  const [url] = process.argv.slice(2)
  if (url !== undefined) {
    const { createIds } = await import('mintid')
    const ids = createIds(url)
    await ids.segment('orders').next()
    await ids.close()
  }
  answer({})
}
