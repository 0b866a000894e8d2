// What tries packed packages on machines that are not set up to build: that it sees whether they
// mint. The packages are no more than what it calls.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { folderOf } from './support/folder.mjs'
import { runScript } from './support/script.mjs'
import { packInto } from './support/tarball.mjs'

const smoke = (t, args) => runScript(t, 'smoke.mjs', args)

/** A package that counts, from a number on. */
const countingFrom = (first) => `
exports.createIds = () => {
  let last = ${first}n - 1n
  const next = async () => ++last
  const nextBatch = async (count) => Array.from({ length: count }, () => ++last)
  return { segment: () => ({ next, nextBatch }), close: async () => {} }
}`

async function packed(t, source) {
  const folder = folderOf(t)
  const [name, version] = ['mintid-platform', '1.2.3']
  await packInto(folder, { name, version })
  const manifest = { name: 'mintid', version, optionalDependencies: { [name]: version } }
  await packInto(folder, manifest, { 'index.js': source })
  return folder
}

test('packages that mint are taken', async (t) => {
  const { code, stdout, stderr, left } = await smoke(t, [await packed(t, countingFrom(1))])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^esm\.mjs with npm: mints 1,2,3,4 from SQLite\ncjs\.cjs with npm: mints/)
  assert.deepEqual(left, [])
})

for (const [what, source, told] of [
  ['mint something else', countingFrom(7), /esm\.mjs with npm minted .*"7"/],
  ['cannot be loaded', 'exports.createIds = () => {}\nthrow new Error("no addon")', /no addon/],
]) {
  test(`packages that ${what} are not`, async (t) => {
    const { code, stderr, left } = await smoke(t, [await packed(t, source)])
    assert.equal(code, 1)
    assert.match(stderr, told)
    assert.deepEqual(left, [])
  })
}

for (const [args, told] of [
  [[], 'one folder of tarballs is due'],
  [['packages', '--with', 'cargo'], "--with is 'cargo': one of npm, bun, deno is due"],
  [['--bogus'], '--bogus'],
]) {
  test(`smoke ${args.join(' ')} is refused by name`, async (t) => {
    const { code, stdout, stderr } = await smoke(t, args)
    assert.deepEqual([code, stdout], [2, ''])
    assert.ok(stderr.includes(told), stderr)
  })
}
