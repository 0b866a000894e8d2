// Packages that were packed before: what was tested is what is published, to the byte, and a
// second try after a failure has the same bytes as the first.

import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { captured } from '../pack/captured.mjs'
import { StepFailed } from '../steps.mjs'

/** The packages of a folder's tarballs, as `{ root, platforms }`; `name` is that of the root. */
export async function readTarballs(folder, name) {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.tgz')).sort()
  const packages = await Promise.all(files.map((file) => readTarball(folder, file)))
  const root = packages.find(({ manifest }) => manifest.name === name)
  if (root === undefined) throw new StepFailed(`${folder} holds no tarball of ${name}`)
  return { root, platforms: packages.filter((each) => each !== root) }
}

async function readTarball(folder, file) {
  // From inside the folder: to some a path with a colon, as on Windows, is a place on another host.
  const text = await captured('tar', ['-xzOf', file, 'package/package.json'], { cwd: folder })
  return { manifest: JSON.parse(text), tarball: join(folder, file) }
}
