// The page of the command line shows what a terminal shows.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shell } from './support/cli.mjs'
import { codeBlocks, read } from './support/docs.mjs'
import { folderOf } from './support/folder.mjs'

const PAGE = 'docs/cli.md'
/** The folder in which the page stands. */
const FOLDER = '/srv/shop'
const SEPARATOR = '\x1e'

/** The commands of the page, in order, each with what it prints. */
function session() {
  const lines = codeBlocks(read(PAGE))
    .filter(({ info }) => info === 'console run')
    .flatMap(({ code }) => code.trimEnd().split('\n'))
  const commands = []
  for (const line of lines) {
    if (line.startsWith('$ ')) commands.push({ command: line.slice(2), output: [] })
    else commands.at(-1).output.push(line)
  }
  return commands
}

test('the page shows what the commands print', async (t) => {
  const commands = session()
  assert.ok(commands.length > 0)
  // One shell, so that what is exported stays.
  const script = commands.map(({ command }) => `${command}\nshow="$?"\nend`).join('\n')
  const head = `exec 2>&1; end() { printf '${SEPARATOR}'; (exit "$show"); }`
  const cwd = folderOf(t)
  const { stdout } = await shell(t, `${head}\n${script}`, { cwd })
  const outputs = stdout.replaceAll(cwd, FOLDER).split(SEPARATOR).slice(0, -1)
  assert.deepEqual(
    outputs.map((output, i) => ({
      command: commands[i].command,
      output: output.split('\n').slice(0, -1),
    })),
    commands,
  )
})
