// A Node that refuses arrays over memory which is not its own, as Electron does: no package holds an
// Electron, so a Node whose functions for them are renamed finds ours in their places.

import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { artifactOf } from '../cross/build.mjs'
import { cached } from '../download.mjs'
import { captured } from '../pack/captured.mjs'
import { HOST } from '../platforms.mjs'
import { nodeOf } from '../runtimes.mjs'
import { ROOT, StepFailed } from '../steps.mjs'

const MAJOR = 24
const OWN = join(ROOT, 'scripts', 'matrix', 'caged')
const REFUSED = ['napi_create_external_arraybuffer', 'napi_create_external_buffer']
/** The status `napi_no_external_buffers_allowed`. */
const NOT_ALLOWED = '22'
const TESTS_MS = 300_000

/** All that is told of arrays: ids in blocks, in batches, and in arrays of the caller's. */
const TESTS = [
  'bad-arguments',
  'field-threads',
  'field-values',
  'iteration',
  'one-engine',
  'order',
  'processes',
  'snowflake-ids',
  'snowflake-waiting',
  'values',
  'waiting',
]

export function memoryRows() {
  return [{ title: `Node ${MAJOR}`, form: 'external buffers forbidden', check: runTests }]
}

async function runTests() {
  const { node, env } = await cagedNode()
  const files = TESTS.map((name) => join('__test__', `${name}.test.mjs`))
  const told = await captured(node, ['--test', '--test-reporter=tap', ...files], {
    cwd: ROOT,
    env: { ...process.env, ...env, NAPI_RS_NATIVE_LIBRARY_PATH: artifactOf(HOST) },
    timeout: TESTS_MS,
  })
  const count = (what) => Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(told)[1])
  if (count('pass') === 0 || count('skipped') > 0) throw new StepFailed(told)
  return `${count('pass')} tests pass`
}

/** The program, and the variables under which it refuses; whether it does is asked first. */
async function cagedNode() {
  const original = await readFile(await nodeOf(MAJOR))
  const sum = createHash('sha256').update(original).digest('hex').slice(0, 12)
  const folder = await cached(join('runtimes', `caged-node-${sum}`), {
    what: `a Node ${MAJOR} that refuses external buffers`,
    wayOut: 'see that `cc` compiles, on Linux',
    fill: (part) => fill(part, original),
  })
  const node = join(folder, 'node')
  const env = { LD_PRELOAD: join(folder, 'refuse.so') }
  const probe = `console.log(require(${JSON.stringify(join(folder, 'probe.node'))}))`
  const status = await captured(node, ['--eval', probe], { env: { ...process.env, ...env } })
  if (status.trim() !== NOT_ALLOWED) throw new StepFailed(`it does not refuse: status ${status}`)
  return { node, env }
}

async function fill(folder, original) {
  await writeFile(join(folder, 'node'), REFUSED.reduce(renamed, original), { mode: 0o755 })
  for (const [source, out] of [
    ['refuse.c', 'refuse.so'],
    ['probe.c', 'probe.node'],
  ]) {
    await captured('cc', ['-shared', '-fPIC', '-o', join(folder, out), join(OWN, source)])
  }
}

/** A name of the same length, which nobody looks for, in the table of what the program gives out. */
function renamed(bytes, name) {
  const copy = Buffer.from(bytes)
  const [told, instead] = [name, name.replace('create', 'xreate')].map((text) => `\0${text}\0`)
  let at = copy.indexOf(told)
  if (at < 0) throw new StepFailed(`this Node does not hold ${name}`)
  for (; at >= 0; at = copy.indexOf(told, at + 1)) copy.write(instead, at, 'latin1')
  return copy
}
