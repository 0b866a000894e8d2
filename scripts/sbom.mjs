// `npm run sbom [-- --out FILE]` writes the bill of materials of this commit: what is in the npm
// package and in its addon. It is for a release, so it is checked as soon as it is written.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { bundledCrates, TARGETS } from './crates.mjs'
import { optionsOf, readArguments } from './options.mjs'
import { captured } from './pack/captured.mjs'
import { bill } from './sbom/bom.mjs'
import { checkBill } from './sbom/valid.mjs'
import { isMain, main, ROOT } from './steps.mjs'

const OUT = 'artifacts/mintid.cdx.json'

/** The bill of what is checked out, which is valid. */
export async function validBill() {
  const made = bill({
    manifest: JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')),
    crates: await bundledCrates(),
    targets: TARGETS,
    seconds: await moment(),
  })
  await checkBill(made)
  return made
}

/** That of the commit, unless whoever builds has said what time it is to be. */
async function moment() {
  const { SOURCE_DATE_EPOCH } = process.env
  if (SOURCE_DATE_EPOCH) return Number(SOURCE_DATE_EPOCH)
  return Number(await captured('git', ['log', '-1', '--format=%ct'], { cwd: ROOT }))
}

async function write(out) {
  const file = resolve(ROOT, out)
  const made = await validBill()
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(made, null, 2)}\n`)
  process.stdout.write(`wrote ${out}: ${made.components.length} components\n`)
}

if (isMain(import.meta.url)) {
  const flags = { out: { type: 'string', default: OUT } }
  const options = optionsOf('sbom', (args) => readArguments(args, flags))
  if (options) await main(() => write(options.out))
}
