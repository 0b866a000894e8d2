// Programs that mint with the package as it was installed, and whether what they minted is right.

import { StepFailed } from '../steps.mjs'
import { captured } from './captured.mjs'
import { bareEnvironment } from './install.mjs'

/**
 * Runs programs, each of which tells the ids it minted in memory and from one file for them all.
 *
 * @returns `mint(program, cwd, command)`, which fails when an id was told before; the command is
 * this Node, unless another is named
 */
export function minting(file) {
  const seen = new Set()
  return async (program, cwd, [command, ...words] = [process.execPath]) => {
    const args = [...words, program, `sqlite:${file}`]
    const told = JSON.parse(await captured(command, args, { cwd, env: bareEnvironment() }))
    const counted = told.memory.map((_, i) => String(i + 1))
    if (told.memory.length === 0 || told.memory.join() !== counted.join()) {
      throw new StepFailed(`minted ${told.memory} in memory, expected ${counted}`)
    }
    if (told.sqlite.length === 0) throw new StepFailed('minted nothing from SQLite')
    for (const id of told.sqlite) {
      if (seen.has(id)) throw new StepFailed(`minted ${id} from SQLite, as another consumer had`)
      seen.add(id)
    }
    return told
  }
}
