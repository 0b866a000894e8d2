// `npm run licenses` writes THIRD-PARTY-LICENSES, what is compiled into the addon and under which
// terms; `-- --check` fails where the file says anything else, as `npm run audit` does.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundledCrates } from './crates.mjs'
import { allowedLicenses } from './licenses/allowed.mjs'
import { page } from './licenses/page.mjs'
import { optionsOf, readArguments } from './options.mjs'
import { isMain, main, ROOT, StepFailed } from './steps.mjs'

const NAME = 'THIRD-PARTY-LICENSES'
const FILE = join(ROOT, NAME)

/** Fails when the file is not what would be written now. */
export async function checkLicenses() {
  if (onDisk() !== (await written())) {
    throw new StepFailed(`${NAME} is out of date: npm run licenses writes it`)
  }
}

async function writeLicenses() {
  const text = await written()
  if (onDisk() === text) return
  writeFileSync(FILE, text)
  process.stdout.write(`wrote ${NAME}\n`)
}

const written = async () => page(await bundledCrates(), allowedLicenses())

const onDisk = () => (existsSync(FILE) ? readFileSync(FILE, 'utf8') : undefined)

if (isMain(import.meta.url)) {
  const flags = { check: { type: 'boolean', default: false } }
  const options = optionsOf('licenses', (args) => readArguments(args, flags))
  if (options) await main(options.check ? checkLicenses : writeLicenses)
}
