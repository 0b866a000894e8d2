// The texts of licences that a crate ships, as far as they apply. A crate without the text that it
// is taken under is a failure: a binary may not be passed on without it.

import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { inOrder } from '../crates.mjs'
import { ROOT, StepFailed } from '../steps.mjs'
import { alternatives, chosen } from './expression.mjs'

/** What the names of such files begin with; sources of the same name are code. */
const NAME = /^(un)?licen[sc]e|^copying|^copyright|^notice/i
const CODE = /\.(rs|c|h|S|toml)$/

/** Texts that a crate does not ship, but another package of its repository does. */
const NAPI_RS = { npm: '@napi-rs/cli', file: 'LICENSE' }
const SQLX = { crate: 'sqlx', file: 'LICENSE-MIT' }
const ELSEWHERE = { napi: NAPI_RS, 'napi-sys': NAPI_RS, 'sqlx-core': SQLX, 'sqlx-sqlite': SQLX }

/** What a symbolic link becomes in a crate that was packed where there are none. */
const POINTER = /^[\w./-]+$/

/** Files that are about something else than what is compiled. */
const NOT_COMPILED = { 'libsqlite3-sys': ['sqlcipher/LICENSE'] }

/** By which words a licence is known. The first that fits is it. */
const WORDS = [
  ['Apache-2.0 WITH LLVM-exception', /LLVM Exceptions to the Apache 2\.0 License/],
  ['Apache-2.0', /Apache License,?\s+Version 2\.0,?\s+January 2004/],
  ['Unicode-3.0', /^UNICODE LICENSE V3/],
  ['MIT', /Permission is hereby granted, free of charge, to any\s+person/],
  ['ISC', /Permission to use, copy, modify, and(\/or)? distribute this software/],
  ['BSD-3-Clause', /Redistribution and use in source[\s\S]*Neither the name/],
  ['BSD-2-Clause', /Redistribution and use in source and binary forms/],
  ['Zlib', /This software is provided 'as-is', without any express/],
  ['Unlicense', /free and unencumbered software released into the public domain/],
]

/** The licence that a text is, by its SPDX identifier; undefined for a mere notice. */
export const recognised = (text) => WORDS.find(([, words]) => words.test(text.trim()))?.[0]

/**
 * The texts of one crate as `{ file, text }`: those of the licences that it is taken under, and
 * whatever else it ships of that kind, such as the notices of code that it has from others. Left
 * out are only those of alternatives that are not taken.
 *
 * @param crates all crates, which may lend each other texts
 * @param allowed licences, the most welcome first
 */
export function textsOf(crate, crates, allowed) {
  const taken = chosen(crate.license, allowed)
  const offered = alternatives(crate.license).flat()
  const texts = shipped(crate).filter(({ text }) => {
    const license = recognised(text)
    return !offered.includes(license) || taken.includes(license)
  })
  for (const license of taken) {
    if (texts.some(({ text }) => recognised(text) === license)) continue
    texts.push(fromElsewhere(crate, license, crates))
  }
  return texts
}

function shipped({ name, folder }) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !CODE.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .filter((file) => NAME.test(basename(file)) || file.startsWith('LICENSES/'))
    .filter((file) => !NOT_COMPILED[name]?.includes(file))
    .sort(inOrder)
    .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
    .filter(({ text }) => !POINTER.test(text.trim()))
}

function fromElsewhere({ name, version }, license, crates) {
  const lender = ELSEWHERE[name]
  const text = lender && lent(lender, crates)
  if (text === undefined || recognised(text) !== license) {
    throw new StepFailed(
      `${name} ${version} ships no text of ${license}: say in scripts/licenses/texts.mjs who does`,
    )
  }
  return { file: `${lender.file} of ${lender.crate ?? lender.npm}`, text }
}

/** A file of a crate in the addon, or of an npm package that builds it. */
export function lent({ crate: name, npm, file }, crates) {
  if (npm !== undefined) return readFileSync(join(ROOT, 'node_modules', npm, file), 'utf8')
  const crate = crates.find((each) => each.name === name)
  if (crate === undefined) throw new StepFailed(`${name} is gone, and its ${file} is needed`)
  return readFileSync(join(crate.folder, file), 'utf8')
}
