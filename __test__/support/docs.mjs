// Reads what the documents and the type declarations say, so that it can be held against the
// tables and against a run.

import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const RUN_TIMEOUT_MS = 60_000

/** Blocks that make requests of their own get the frameworks themselves. */
const FRAMEWORKS = ['express', 'fastify']
const ASKS = /\bfetch\(|\.inject\(/

/** In place of Express: what is asked to listen has its handlers called once, and prints the body. */
const EXPRESS = `
export default () => {
  const handlers = []
  const res = { status: () => res, json: (body) => console.log(JSON.stringify(body)) }
  return {
    post: (path, handler) => handlers.push(handler),
    listen: () => handlers.forEach((handler) => handler({}, res)),
  }
}
`

export const read = (path) => readFileSync(join(ROOT, path), 'utf8')

/** Every document that is kept by hand or written here, as paths from the root. */
export function documents() {
  return [...readdirSync(ROOT), ...filesIn('docs'), ...filesIn('examples')]
    .filter((path) => path.endsWith('.md') && !path.includes('node_modules'))
    .sort()
}

/** By their types, since a link to a folder above would otherwise be followed round and round. */
function filesIn(folder) {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
}

/** The code blocks of a document: `{ info, code, line }`. */
export function codeBlocks(text) {
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map((found) => ({
    info: found[1].trim(),
    code: found[2],
    line: text.slice(0, found.index).split('\n').length,
  }))
}

/** What a block says that it prints: one line for each `// -> …`. */
export function promised(code) {
  return [...code.matchAll(/\/\/ -> (.*)$/gm)].map(([, line]) => line)
}

/** Runs a block as a program of its own in a folder of its own, where the package is installed. */
export function run(code) {
  const folder = mkdtempSync(join(tmpdir(), 'mintid-docs-'))
  try {
    const modules = join(folder, 'node_modules')
    mkdirSync(modules)
    symlinkSync(ROOT, join(modules, 'mintid'), 'junction')
    if (ASKS.test(code)) linkFrameworks(modules)
    else replaceExpress(join(modules, 'express'))
    // `require` in a block means CommonJS.
    const file = join(folder, /\brequire\(/.test(code) ? 'block.cjs' : 'block.mjs')
    writeFileSync(file, code)
    const { status, stdout, stderr } = spawnSync(process.execPath, [file], {
      cwd: folder,
      encoding: 'utf8',
      timeout: RUN_TIMEOUT_MS,
    })
    return { status, lines: stdout.split('\n').slice(0, -1), stderr }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

function linkFrameworks(modules) {
  for (const name of FRAMEWORKS) {
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'junction')
  }
}

function replaceExpress(folder) {
  mkdirSync(folder)
  writeFileSync(join(folder, 'index.mjs'), EXPRESS)
  const manifest = { name: 'express', exports: './index.mjs' }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
}

/** The lines of the Rust crate's documentation, whose examples its own tests run. */
export function rustDocs() {
  const folder = 'crates/engine/src'
  return readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.rs'))
    .flatMap((name) => [...read(`${folder}/${name}`).matchAll(/^\s*\/\/[/!] (.*)$/gm)])
    .map(([, line]) => line)
}

const proseOf = (text) => text.replace(/^```.*\n[\s\S]*?^```$/gm, '')

/** The targets of a document's links. */
export const links = (text) =>
  [...proseOf(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target)

/** What stands between backquotes outside of code blocks. */
export const inlineCode = (text) =>
  [...proseOf(text).matchAll(/`([^`\n]+)`/g)].map(([, code]) => code)

/** The level of each heading and the number of cells in each row of a table, in their order. */
export const outline = (text) =>
  [...proseOf(text).matchAll(/^(?:(#+) |(\|.*\|)$)/gm)].map(([, heading, row]) =>
    heading === undefined ? row.split(' |').length - 1 : heading,
  )

/** The links of a document that lead to a place in this repository and not to one there is. */
export function deadLinks(path) {
  return links(read(path))
    .filter((target) => !/^(https?|mailto):/.test(target))
    .filter((target) => !leadsSomewhere(path, target))
}

function leadsSomewhere(from, target) {
  const [file, anchor] = target.split('#')
  const path = file === '' ? from : join(dirname(from), file)
  if (!existsSync(join(ROOT, path))) return false
  return anchor === undefined || anchors(read(path)).includes(anchor)
}

/** The anchors that GitHub gives the headings of a document. */
function anchors(text) {
  const headings = proseOf(text).matchAll(/^#+ (.*)$/gm)
  return [...headings].map(([, heading]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** The members of a union of words in the declarations. */
export function unionOf(types, name) {
  const [, members] = new RegExp(`^export type ${name} =\\n((?:  \\| '\\w+'\\n)+)`, 'm').exec(types)
  return [...members.matchAll(/'(\w+)'/g)].map(([, word]) => word)
}

/** The body of an interface in the declarations. */
export function bodyOf(types, name) {
  const [, body] = new RegExp(`^export interface ${name}\\b[^{]*\\{\\n([\\s\\S]*?)^\\}`, 'm').exec(
    types,
  )
  return body
}

/** The fields of an interface, without those it inherits: `{ name, type, doc }`. */
export function fieldsOf(types, name) {
  const field = /^ {2}(?:\/\*\* (.*) \*\/\n {2})?(\w+)\??: (.*)$/gm
  return [...bodyOf(types, name).matchAll(field)].map(([, doc = '', name, type]) => ({
    name,
    type: type.replace(/ \| undefined$/, ''),
    doc,
  }))
}
