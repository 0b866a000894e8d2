// THIRD-PARTY-LICENSES, made of crates that were planted: which licence is taken, which texts are
// shown, and what is refused. That the file itself is up to date is a check of the audit.

import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { bundledCrates, TARGETS } from '../scripts/crates.mjs'
import { temporaryFolder } from '../scripts/folder.mjs'
import { alternatives, chosen } from '../scripts/licenses/expression.mjs'
import { page } from '../scripts/licenses/page.mjs'
import { recognised } from '../scripts/licenses/texts.mjs'

const FOLDER = temporaryFolder('licenses')
const ALLOWED = ['MIT', 'Apache-2.0', 'ISC']
const MIT = (who) => `Copyright (c) ${who}

Permission is hereby granted, free of charge, to any
person obtaining a copy`
const APACHE = 'Apache License\nVersion 2.0, January 2004'
const LLVM = `${APACHE}\n---- LLVM Exceptions to the Apache 2.0 License ----`

/** A crate with these files, as `bundledCrates` gives it. */
function crate(name, license, files) {
  const folder = mkdtempSync(join(FOLDER, `${name}-`))
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  return { name, version: '1.0.0', license, repository: `https://example.com/${name}`, folder }
}

/** The page of some crates, with those that its other parts come from. */
function written(...crates) {
  const header = `/*
** 2001-09-15
**
** The author disclaims copyright to this source code.
**
*****************************
*/
#define SQLITE_VERSION        "3.9.9"
`
  const sqlite = { 'LICENSE-MIT': MIT('SQLite'), 'sqlite3/sqlite3.h': header }
  const rustix = {
    'LICENSE-MIT': MIT('rustix'),
    'LICENSE-Apache-2.0_WITH_LLVM-exception': LLVM,
  }
  const others = [
    crate('libsqlite3-sys', 'MIT', sqlite),
    crate('rustix', 'Apache-2.0 WITH LLVM-exception OR MIT', rustix),
  ]
  return page([...crates, ...others], ALLOWED)
}

test('the first welcome licence of a choice is taken', () => {
  for (const [expression, taken] of [
    ['MIT', ['MIT']],
    ['Apache-2.0 OR MIT', ['MIT']],
    ['Apache-2.0/MIT', ['MIT']],
    ['Unlicense OR Apache-2.0', ['Apache-2.0']],
    ['Apache-2.0 AND ISC', ['Apache-2.0', 'ISC']],
    ['(GPL-3.0-only OR MIT) AND ISC', ['MIT', 'ISC']],
    ['Apache-2.0 WITH LLVM-exception OR Apache-2.0', ['Apache-2.0']],
  ]) {
    assert.deepEqual(chosen(expression, ALLOWED), taken, expression)
  }
})

test('an expression without a welcome licence, and what is no expression, are refused', () => {
  for (const expression of ['GPL-3.0-only', 'MIT AND GPL-3.0-only', 'MIT WITH x']) {
    assert.throws(() => chosen(expression, ALLOWED), /has no alternative of MIT, Apache-2\.0/)
  }
  for (const expression of ['', 'MIT OR', 'MIT ISC', '(MIT', 'OR MIT', 'SEE LICENSE IN x']) {
    assert.throws(() => alternatives(expression), /SPDX expression/, expression)
  }
})

test('a text that several crates ship is shown once, under their names', () => {
  const rewrapped = MIT('them').replace('any\nperson', 'any person')
  const text = written(
    crate('one', 'MIT', { LICENSE: MIT('them') }),
    crate('two', 'MIT OR Apache-2.0', { 'LICENSE-MIT': rewrapped, 'LICENSE-APACHE': APACHE }),
  )
  assert.match(text, /^one 1\.0\.0 \(LICENSE\)\ntwo 1\.0\.0 \(LICENSE-MIT\)\n-+\n\nCopyright/m)
  assert.equal(text.split('Copyright (c) them').length, 2)
})

test('only texts of licences that are offered and not taken are left out', () => {
  const text = written(
    crate('one', 'Apache-2.0 OR MIT', {
      'LICENSE-MIT': MIT('them'),
      'LICENSE-APACHE': APACHE,
      COPYRIGHT: 'Parts are from elsewhere.',
      'src/theirs/LICENSE': 'Permission to use, copy, modify, and distribute this software',
      'src/license.rs': 'fn license() {}',
    }),
  )
  assert.match(text, /^one 1\.0\.0 \| Apache-2\.0 OR MIT -> MIT \| https:\/\/example\.com\/one$/m)
  assert.match(text, /^one 1\.0\.0 \(COPYRIGHT\)$/m)
  assert.match(text, /^one 1\.0\.0 \(src\/theirs\/LICENSE\)$/m)
  assert.doesNotMatch(text, /\(LICENSE-APACHE\)|license\.rs/)
})

test('a crate without the text of its licence is refused', () => {
  const told = /one 1\.0\.0 ships no text of MIT: say in scripts\/licenses\/texts\.mjs who does/
  assert.throws(() => written(crate('one', 'MIT', {})), told)
  assert.throws(() => written(crate('one', 'MIT', { LICENSE: APACHE })), told)
  // What a symbolic link becomes when it is packed.
  assert.throws(() => written(crate('one', 'MIT', { LICENSE: '../LICENSE-MIT' })), told)
  assert.throws(() => written(crate('one', 'GPL-3.0-only', { LICENSE: 'GPL' })), /no alternative/)
})

test('what is compiled in and is no crate is there too', () => {
  const text = written()
  assert.match(text, /^SQLite 3\.9\.9 \| public domain/m)
  assert.match(text, /^The author disclaims copyright/m)
  assert.match(text, /^Rust's standard library and runtime \| MIT OR Apache-2\.0/m)
  assert.match(text, /LLVM Exceptions/)
})

test('the page tells nothing of the machine that it was made on', () => {
  const one = crate('one', 'MIT', { LICENSE: MIT('them') })
  assert.ok(!written(one).includes(one.folder))
  assert.equal(written(one), written(one))
})

test('licences are known by their words', () => {
  assert.equal(recognised(MIT('x')), 'MIT')
  assert.equal(recognised(APACHE), 'Apache-2.0')
  assert.equal(recognised(LLVM), 'Apache-2.0 WITH LLVM-exception')
  assert.equal(recognised('This project is under MIT.'), undefined)
})

test('the addon is compiled from what it uses, and not from what builds and tests it', async () => {
  const crates = await bundledCrates()
  const find = (name) => crates.find((each) => each.name === name)
  for (const name of ['mintid-node', 'napi', 'tokio', 'ring', 'libsqlite3-sys']) {
    assert.deepEqual(find(name)?.targets, TARGETS, name)
  }
  for (const name of ['napi-derive', 'napi-build', 'syn', 'cc', 'loom', 'proptest']) {
    assert.equal(find(name), undefined, name)
  }
  assert.deepEqual(
    find('security-framework').targets,
    TARGETS.filter((target) => target.endsWith('-apple-darwin')),
  )
  assert.ok(find('sqlx-sqlite').uses.includes(find('libsqlite3-sys')))
  assert.match(find('ring').checksum, /^[0-9a-f]{64}$/)
  assert.ok(find('mintid-core').isOwn)
})
