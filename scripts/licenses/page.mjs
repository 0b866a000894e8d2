// THIRD-PARTY-LICENSES: what is in the addon, and each text once, under the names of all it is for.

import { inOrder } from '../crates.mjs'
import { chosen } from './expression.mjs'
import { STANDARD_LIBRARY, sqlite } from './parts.mjs'
import { lent, recognised, textsOf } from './texts.mjs'

const RULE = '-'.repeat(80)

/** The file's text, from the crates in the addon and the licences that are allowed. */
export function page(crates, allowed) {
  const others = crates.filter(({ isOwn }) => !isOwn)
  return `THIRD-PARTY SOFTWARE IN MINTID

The addon of mintid, which is the binary file in its platform packages, is compiled from mintid's
own sources, which are under MIT OR Apache-2.0, and from what is listed here: ${others.length} crates of others
over all platforms, SQLite, and Rust's standard library. The JavaScript has no dependency.

Each line has a name and version, the licence as the authors state it, and where the sources are.
Where they leave a choice, the one taken follows an arrow. The texts are below, each under the names
of all that it is for.

Written by scripts/licenses.mjs from Cargo.lock and the sources of the crates.

${[...others.map((crate) => line(crate, allowed)), ...partLines(crates)].join('\n')}

${[...grouped(others, allowed), ...partTexts(crates)].map(section).join('\n')}`
}

function line({ name, version, license, repository }, allowed) {
  const taken = chosen(license, allowed).join(' AND ')
  const choice = taken === license ? license : `${license} -> ${taken}`
  return [`${name} ${version}`, choice, repository ?? 'no repository'].join(' | ')
}

function partLines(crates) {
  const { title, license, repository } = STANDARD_LIBRARY
  return [
    `SQLite ${sqlite(crates).version} | public domain | https://www.sqlite.org`,
    `${title} | ${license} | ${repository}`,
  ]
}

/** Texts with the names of those they are for; of one licence in a row, which also packs better. */
function grouped(crates, allowed) {
  const texts = new Map()
  for (const crate of crates) {
    for (const { file, text } of textsOf(crate, crates, allowed)) {
      // Where lines end says nothing.
      const key = text.replace(/\s+/g, ' ').trim()
      if (!texts.has(key)) texts.set(key, { text, license: recognised(text) ?? '', names: [] })
      texts.get(key).names.push(`${crate.name} ${crate.version} (${file})`)
    }
  }
  return [...texts.values()].sort((a, b) => inOrder(a.license, b.license))
}

function partTexts(crates) {
  const { title, notice, lender } = STANDARD_LIBRARY
  const { version, notice: blessing } = sqlite(crates)
  return [
    { names: [`SQLite ${version}`], text: blessing },
    { names: [title], text: notice },
    { names: [`${title}: what is from LLVM`], text: lent(lender, crates) },
  ]
}

function section({ names, text }) {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const body = lines.map((each) => each.trimEnd()).join('\n')
  return `${RULE}\n${names.join('\n')}\n${RULE}\n\n${body.replace(/^\n+|\n+$/g, '')}\n`
}
