// `scripts/install-matrix [PART…]`: packs what is in artifacts/, and installs and uses the packages
// in every way that people do. The parts are those of the table below.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from './folder.mjs'
import { bundlerRows } from './matrix/bundlers.mjs'
import { deploymentRows } from './matrix/deployments.mjs'
import { managerRows } from './matrix/managers.mjs'
import { memoryRows } from './matrix/memory.mjs'
import { runtimeRows } from './matrix/runtimes.mjs'
import { BadOption, optionsOf, readWords } from './options.mjs'
import { installTools } from './pack/install.mjs'
import { minting } from './pack/minting.mjs'
import { serve } from './pack/registry.mjs'
import { runRows } from './pack/rows.mjs'
import { forHost, packAll } from './pack/stage.mjs'
import { setup } from './setup.mjs'
import { main, StepFailed, step } from './steps.mjs'

const PARTS = {
  managers: managerRows,
  runtimes: runtimeRows,
  bundlers: bundlerRows,
  deployments: deploymentRows,
  memory: memoryRows,
}

const parts = optionsOf('install-matrix', readParts)
if (parts !== undefined) await main(() => tryAll(parts))

async function tryAll(names) {
  await setup()
  const tools = await installTools('matrix')
  const folder = temporaryFolder('matrix')
  const packages = await step('pack', async () => {
    const stage = join(folder, 'stage')
    await mkdir(stage)
    return forHost(await packAll(stage))
  })
  const registry = await serve([packages.root, ...packages.platforms])
  try {
    const mint = minting(join(folder, 'ids.db'))
    const context = { ...packages, folder, registry, tools, mint }
    const rows = await Promise.all(names.map((name) => PARTS[name](context)))
    const failed = await runRows(rows.flat())
    if (failed > 0) throw new StepFailed(`${failed} of ${rows.flat().length} failed`)
  } finally {
    await registry.close()
  }
}

function readParts(args) {
  const { positionals } = readWords(args, {})
  const unknown = positionals.find((name) => !Object.hasOwn(PARTS, name))
  const names = Object.keys(PARTS)
  if (unknown !== undefined) {
    throw new BadOption(`there is no part '${unknown}': one of ${names.join(', ')} is due`)
  }
  return positionals.length === 0 ? names : positionals
}
