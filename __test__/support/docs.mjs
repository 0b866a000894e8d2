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
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const RUN_TIMEOUT_MS = 60_000

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
  const inFolder = (folder) =>
    readdirSync(join(ROOT, folder), { recursive: true }).map((name) => join(folder, name))
  return [...readdirSync(ROOT), ...inFolder('docs'), ...inFolder('examples')]
    .filter((path) => path.endsWith('.md'))
    .sort()
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
    mkdirSync(join(folder, 'node_modules', 'express'), { recursive: true })
    writeFileSync(join(folder, 'node_modules', 'express', 'index.mjs'), EXPRESS)
    writeFileSync(
      join(folder, 'node_modules', 'express', 'package.json'),
      JSON.stringify({ name: 'express', exports: './index.mjs' }),
    )
    symlinkSync(ROOT, join(folder, 'node_modules', 'mintid'), 'junction')
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

/** The links of a document that lead to a place in this repository and not to one there is. */
export function deadLinks(path) {
  const prose = read(path).replace(/^```.*\n[\s\S]*?^```$/gm, '')
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target]) => target)
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
  const headings = text.replace(/^```.*\n[\s\S]*?^```$/gm, '').matchAll(/^#+ (.*)$/gm)
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
