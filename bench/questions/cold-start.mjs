// What the first id of a process costs beside what any package with an addon costs: to find and open
// the addon, to read the scripts, to make a generator, and to wait for its first range.

import { copyFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../../scripts/folder.mjs'
import { cargo, isMain, ROOT } from '../../scripts/steps.mjs'
import { answer, runNode } from '../programs.mjs'
import { medians } from '../rounds.mjs'

/** The first start of all reads its files from the disk. */
const PROCESSES = 21

export const question = {
  name: 'coldStart',
  title: "require('mintid') and a first id on memory: ÷ loading an empty addon",
  unit: '×',
  limit: 3,
  async ask() {
    const empty = await buildEmpty()
    const answers = []
    for (let i = 0; i < PROCESSES; i++) {
      const file = fileURLToPath(import.meta.url)
      const { ms: own } = await runNode(process.execPath, file, [], ['mintid'])
      const { ms: floor } = await runNode(process.execPath, file, [], [empty])
      answers.push({ own, floor, ratio: own / floor })
    }
    const { ratio, ...detail } = medians(answers)
    return [{ name: question.name, figure: ratio, limit: question.limit, detail }]
  },
}

/** A package of an addon and one line, as small as one can be. */
async function buildEmpty() {
  await cargo(['build', '--release', '--example', 'empty-addon'], { quiet: true })
  const folder = temporaryFolder('empty-addon')
  const built = join(ROOT, 'target', 'release', 'examples', LIBRARIES[process.platform])
  await copyFile(built, join(folder, 'empty.node'))
  await writeFile(join(folder, 'index.js'), "module.exports = require('./empty.node')\n")
  return folder
}

const LIBRARIES = {
  linux: 'libempty_addon.so',
  darwin: 'libempty_addon.dylib',
  win32: 'empty_addon.dll',
}

if (isMain(import.meta.url)) {
  const require = createRequire(import.meta.url)
  const [module] = process.argv.slice(2)
  const started = process.hrtime.bigint()
  const { createIds } = require(module)
  if (createIds) await createIds('memory:').segment('orders').next()
  answer({ ms: Number(process.hrtime.bigint() - started) / 1e6 })
}
