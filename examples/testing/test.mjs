// Runs the example under each runner, and looks at what a failure comes out as.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { install } from '../install.mjs'

const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const NODE = ['--test', '--test-reporter=spec']
const JEST = ['node_modules/jest/bin/jest.js', '--config']
const VITEST = ['node_modules/vitest/vitest.mjs', 'run', '--dir']

/** Jest's words for the tests that fail, with the example's own configuration beside `others`. */
function failingJest(others) {
  const own = JSON.parse(readFileSync(`${FOLDER}jest/jest.config.json`, 'utf8'))
  const config = {
    ...own,
    rootDir: FOLDER,
    testMatch: ['**/failing/*.jest.cjs'],
    // With this it has workers even for one file, and they have to send what they find.
    workerIdleMemoryLimit: '1GB',
    ...others,
  }
  return [...JEST, JSON.stringify(config)]
}

before(() => install('testing'))

/** How a runner ends, and what it writes. */
function run(words) {
  const env = { ...process.env, NO_COLOR: '1' }
  // What tells node:test that it is the child of a runner, and to write for that.
  delete env.NODE_TEST_CONTEXT
  delete env.FORCE_COLOR
  return new Promise((resolve) => {
    execFile(process.execPath, words, { cwd: FOLDER, env }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, output: stdout + stderr })
    })
  })
}

for (const [runner, words, passed] of [
  ['node:test', [...NODE, 'node-test/desk.test.mjs'], /^. pass 4$/m],
  ['Jest', [...JEST, 'jest/jest.config.json'], /^Tests: +5 passed, 5 total$/m],
  ['Vitest', [...VITEST, 'vitest'], /^ +Tests +4 passed \(4\)$/m],
]) {
  test(`the example passes under ${runner}`, async () => {
    const { code, output } = await run(words)
    assert.equal(code, 0, output)
    assert.match(output, passed)
  })
}

for (const [runner, words, expected] of [
  ['node:test', [...NODE, 'failing/ids.node.mjs'], [/1n !== 2n/, /\+ +3n[\s\S]*- +4n/]],
  ['Jest', failingJest(), [/Expected: 2n\s+Received: 1n/, /- +"2": 4n,\s+\+ +"2": 3n/]],
  ['Vitest', [...VITEST, 'failing'], [/expected 1n to be 2n/, /- +"2": 4n,\s+\+ +"2": 3n/]],
]) {
  test(`${runner} shows ids that are not the expected ones, and a failure of ours`, async () => {
    const { code, output } = await run(words)
    assert.equal(code, 1, output)
    for (const pattern of expected) assert.match(output, pattern)
    assert.match(output, /MintIdError.* no id of "tickets" could be had: .*the disk is full/)
    assert.doesNotMatch(output, /serialize a BigInt/)
  })
}

test('Jest needs its workers to be threads to show a batch', async () => {
  const { code, output } = await run(failingJest({ workerThreads: false }))
  assert.equal(code, 1)
  assert.match(output, /serialize a BigInt/)
})
