// `scripts/build-all` builds the addon for every platform that can be built on this machine, as it
// is published, into artifacts/; and says what is left to which other machine. `--only NAME`, once
// or more, builds some of them.

import { statSync } from 'node:fs'
import { buildPlatform } from './cross/build.mjs'
import { wayOf } from './cross/ways.mjs'
import { BadOption, optionsOf, readArguments } from './options.mjs'
import { binaryComplaints, libcOf, readBinary } from './pack/binary.mjs'
import { PLATFORMS } from './platforms.mjs'
import { setup } from './setup.mjs'
import { isMain, main, StepFailed, step } from './steps.mjs'
import { megabytes, printTable } from './table.mjs'

const WAYS = { zig: 'by zig', native: 'by its own tools' }

/** Builds platforms, and fails when one of them is not what it was meant to be. */
export async function buildAll(platforms) {
  const rows = []
  const complaints = []
  for (const platform of platforms) {
    const way = wayOf(platform)
    if (way.kind === 'left') {
      rows.push([platform.name, '', '', '', '', `left ${way.why}`])
      continue
    }
    const file = await step(`build ${platform.name}`, () => buildPlatform(platform, way))
    const binary = await readBinary(file)
    const wrong = binaryComplaints(platform, binary)
    complaints.push(...wrong.map((complaint) => `${platform.name}: ${complaint}`))
    const how = WAYS[way.kind] ?? `tried as ${way.target}; ${way.why}`
    rows.push([
      platform.name,
      binary.format,
      binary.cpu,
      libcOf(platform, binary),
      sizeOf(file),
      how,
    ])
  }
  printTable(['platform', 'format', 'processor', 'C library', 'addon', 'built'], rows)
  if (complaints.length > 0) throw new StepFailed(complaints.join('\n'))
}

const sizeOf = (file) => megabytes(statSync(file).size)

function read(args) {
  const { only = [] } = readArguments(args, { only: { type: 'string', multiple: true } })
  const names = PLATFORMS.map(({ name }) => name)
  const unknown = only.find((name) => !names.includes(name))
  if (unknown !== undefined) {
    throw new BadOption(`--only is '${unknown}': one of ${names.join(', ')} is due`)
  }
  return PLATFORMS.filter(({ name }) => only.length === 0 || only.includes(name))
}

if (isMain(import.meta.url)) {
  const platforms = optionsOf('build-all', read)
  if (platforms !== undefined) {
    await main(async () => {
      await setup()
      await buildAll(platforms)
    })
  }
}
