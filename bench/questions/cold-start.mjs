// What the first id of a process costs beside what any package with an addon costs: to find and open
// the addon, to read the scripts, to make a generator, and to wait for its first range.

import { copyFile, mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../../scripts/folder.mjs'
import { cargo, ROOT } from '../../scripts/steps.mjs'
import { runNode } from '../programs.mjs'
import { medians } from '../rounds.mjs'

/** The first start of all reads its files from the disk. */
const PROCESSES = 21

export const question = {
  name: 'coldStart',
  title: "require('mintid') and a first id on memory: ÷ loading an empty addon",
  unit: '×',
  limit: 3,
  async ask() {
    const program = await makeApplication()
    const answers = []
    for (let i = 0; i < PROCESSES; i++) {
      const { ms: own } = await runNode(process.execPath, program, [], ['mintid'])
      const { ms: floor } = await runNode(process.execPath, program, [], ['empty-addon'])
      answers.push({ own, floor, ratio: own / floor })
    }
    const { ratio, ...detail } = medians(answers)
    return [{ name: question.name, figure: ratio, limit: question.limit, detail }]
  },
}

/** One that has this checkout installed, and a package of an addon and one line. */
async function makeApplication() {
  await cargo(['build', '--release', '--example', 'empty-addon'], { quiet: true })
  const folder = temporaryFolder('cold-start')
  const empty = join(folder, 'node_modules', 'empty-addon')
  await mkdir(empty, { recursive: true })
  const built = join(ROOT, 'target', 'release', 'examples', LIBRARIES[process.platform])
  await copyFile(built, join(empty, 'empty.node'))
  // What Node does for the one costs as much as what it does for the other.
  const manifest = { name: 'empty-addon', exports: { '.': './index.js' } }
  await writeFile(join(empty, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(empty, 'index.js'), "module.exports = require('./empty.node')\n")
  await symlink(ROOT, join(folder, 'node_modules', 'mintid'), 'junction')
  const program = join(folder, 'first-id.cjs')
  await copyFile(join(ROOT, 'bench', 'first-id.cjs'), program)
  return program
}

const LIBRARIES = {
  linux: 'libempty_addon.so',
  darwin: 'libempty_addon.dylib',
  win32: 'empty_addon.dll',
}
