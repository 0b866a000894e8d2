// What docs/nest.md shows compiles, each block as a program of its own.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryFolder } from '../scripts/folder.mjs'
import { ROOT } from '../scripts/steps.mjs'
import { codeBlocks, read } from './support/docs.mjs'

const COMPILER = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc')
const SETTINGS = {
  target: 'es2023',
  module: 'nodenext',
  types: ['node'],
  strict: true,
  noEmit: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
}

/** What the compiler says of a block where a user has it. */
function compile(code) {
  const folder = temporaryFolder('nest-docs')
  const modules = join(folder, 'node_modules')
  mkdirSync(modules)
  symlinkSync(ROOT, join(modules, 'mintid'), 'junction')
  for (const name of ['@nestjs', '@types']) {
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'junction')
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: SETTINGS }))
  writeFileSync(join(folder, 'block.ts'), code)
  const { stdout } = spawnSync(process.execPath, [COMPILER, '-p', folder], { encoding: 'utf8' })
  return stdout
}

const blocks = codeBlocks(read('docs/nest.md')).filter(({ info }) => info === 'ts')

test('what does not compile is found out', () => {
  const [{ code }] = blocks
  const planted = code.replace("SegmentGenerator<'orders'>", "SegmentGenerator<'users'>")
  assert.match(compile(planted), /has to take the generator/)
})

for (const { code, line } of blocks) {
  test(`docs/nest.md:${line} compiles`, () => {
    assert.equal(compile(code), '')
  })
}
