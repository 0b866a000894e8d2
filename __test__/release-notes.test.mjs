// What a release says of itself is its section of the CHANGELOG.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { notesOf } from '../scripts/release-notes.mjs'
import { runScript } from './support/script.mjs'

const CHANGELOG = `# Changelog

## [Unreleased]

## [0.2.0] - 2026-02-01

### Added

- \`two\`, with [a link](docs/two.md).

### Fixed

- A fault.

## [0.1.0] - 2026-01-01

- one

[0.2.0]: compare/v0.1.0...v0.2.0
`

test('the notes are the section of the version, and nothing of its neighbours', () => {
  const notes = '### Added\n\n- `two`, with [a link](docs/two.md).\n\n### Fixed\n\n- A fault.\n'
  assert.equal(notesOf(CHANGELOG, '0.2.0'), notes)
})

test('the notes of the last section end before the links', () => {
  assert.equal(notesOf(CHANGELOG, '0.1.0'), '- one\n')
})

for (const version of ['0.3.0', '0.1', '0x2.0', '.*']) {
  test(`${version} has no section, which is told with those that there are`, () => {
    const told = `CHANGELOG.md has no section [${version}] (there are: Unreleased, 0.2.0, 0.1.0)`
    assert.throws(() => notesOf(CHANGELOG, version), { message: told })
  })
}

test('a section without a word is not a release', () => {
  assert.throws(() => notesOf(CHANGELOG, 'Unreleased'), /says nothing of Unreleased/)
})

test('release:notes prints Markdown alone', async (t) => {
  const { code, stdout, stderr } = await runScript(t, 'release-notes.mjs', ['Unreleased'])
  assert.equal(code, 0, stderr)
  assert.equal(stderr, '')
  assert.match(stdout, /^### Added\n\n- /)
})

for (const [args, code, told] of [
  [['9.9.9'], 1, 'no section [9.9.9]'],
  [[], 2, 'one version is due'],
  [['0.1.0', '0.2.0'], 2, 'one version is due'],
  [['--bogus'], 2, '--bogus'],
]) {
  test(`release:notes ${args.join(' ')} ends with ${code}`, async (t) => {
    const result = await runScript(t, 'release-notes.mjs', args)
    assert.deepEqual([result.code, result.stdout], [code, ''])
    assert.ok(result.stderr.includes(told), result.stderr)
  })
}
