// A package as it is packed, with next to nothing in it.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { captured } from '../../scripts/pack/captured.mjs'

/** Puts the tarball of a manifest and of files, by their names, into a folder. */
export async function packInto(folder, manifest, files = {}) {
  const inside = join(folder, manifest.name)
  mkdirSync(join(inside, 'package'), { recursive: true })
  const texts = { 'package.json': JSON.stringify(manifest), ...files }
  for (const [name, text] of Object.entries(texts))
    writeFileSync(join(inside, 'package', name), text)
  // From inside the folder: to some a path with a colon, as on Windows, is a place on another host.
  const words = ['-czf', `${manifest.name}.tgz`, '-C', manifest.name, 'package']
  await captured('tar', words, { cwd: folder })
}
