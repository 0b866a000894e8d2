// What publint and attw say of the packed tarballs: not a word is accepted.

import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StepFailed } from '../steps.mjs'
import { node } from './captured.mjs'

/** Checks a tarball by publint, whose suggestions count as errors. */
export async function publint(tools, { tarball, manifest }) {
  const require = createRequire(join(tools, 'package.json'))
  const load = (name) => import(pathToFileURL(require.resolve(name)))
  const [{ publint: lint }, { formatMessage }] = [
    await load('publint'),
    await load('publint/utils'),
  ]
  const bytes = await readFile(tarball)
  const { messages } = await lint({ pack: { tarball: new Uint8Array(bytes).buffer }, strict: true })
  const lines = messages.map((message) => formatMessage(message, manifest, { color: false }))
  if (lines.length > 0) throw new StepFailed(lines.join('\n'))
  return 'clean'
}

/** Checks every entry point of a tarball by attw, under each way to resolve a module. */
export async function attw(tools, { tarball }) {
  const cli = join(tools, 'node_modules', '@arethetypeswrong', 'cli', 'dist', 'index.js')
  await node([cli, tarball, '--no-definitely-typed', '--format', 'table'])
  return 'clean'
}
