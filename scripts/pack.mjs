// `npm run pack -- --out FOLDER`: the tarballs of the root and of every platform in artifacts/, as
// they are published.

import { copyFile, mkdir } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { temporaryFolder } from './folder.mjs'
import { BadOption, optionsOf, readArguments } from './options.mjs'
import { packAll } from './pack/stage.mjs'
import { main } from './steps.mjs'

const options = optionsOf('pack', (args) => {
  const values = readArguments(args, { out: { type: 'string' } })
  if (!values.out) throw new BadOption('--out is missing: a folder is due')
  return { out: resolve(values.out) }
})

if (options !== undefined) {
  await main(async () => {
    const { root, platforms } = await packAll(temporaryFolder('pack'))
    await mkdir(options.out, { recursive: true })
    for (const { tarball } of [root, ...platforms]) {
      if (tarball === undefined) continue
      await copyFile(tarball, join(options.out, basename(tarball)))
      process.stdout.write(`${basename(tarball)}\n`)
    }
  })
}
