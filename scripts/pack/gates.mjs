// What a package has to be before it may be published, whoever built it.

import { artifactOf } from '../cross/build.mjs'
import { StepFailed } from '../steps.mjs'
import { megabytes, printTable } from '../table.mjs'
import { binaryComplaints, libcOf, readBinary } from './binary.mjs'

/** What an installation may weigh, in bytes: what is downloaded, and what lies on the disk. */
const BUDGETS = {
  root: { size: 150_000, unpackedSize: 600_000 },
  platform: { size: 4_000_000, unpackedSize: 9_000_000 },
}
const TOLD = { size: 'packed', unpackedSize: 'unpacked' }

/** What else is in the package of a platform. */
const BESIDE = [
  'LICENSE-APACHE',
  'LICENSE-MIT',
  'README.md',
  'THIRD-PARTY-LICENSES',
  'package.json',
]

/** Prints what was packed, and fails with all that is wrong with it. */
export async function checkPackages({ root, platforms }) {
  const rows = [
    [root.manifest.name, megabytes(root.size), megabytes(root.unpackedSize), '', '', ''],
  ]
  const complaints = overBudget(root, BUDGETS.root)
  for (const platform of platforms) {
    if (platform.tarball === undefined) {
      rows.push([platform.package, 'not built', '', '', '', ''])
      continue
    }
    const binary = await readBinary(artifactOf(platform))
    const sizes = [platform.size, platform.unpackedSize].map(megabytes)
    rows.push([platform.package, ...sizes, binary.format, binary.cpu, libcOf(platform, binary)])
    complaints.push(...platformComplaints(platform, binary))
  }
  printTable(['package', 'packed', 'unpacked', 'format', 'processor', 'C library'], rows)
  if (complaints.length > 0) throw new StepFailed(complaints.join('\n'))
}

/** What is wrong with the package of one platform. */
export function platformComplaints(platform, binary) {
  const { manifest, os, cpu, libc, file } = platform
  const due = { os: [os], cpu: [cpu], ...(libc && { libc: [libc] }), main: file }
  const fields = Object.keys({ ...due, libc })
  return [
    ...fields
      .filter((field) => String(manifest[field]) !== String(due[field]))
      .map((field) => `its ${field} is ${manifest[field]}, and not ${due[field]}`),
    ...platform.files
      .filter((path) => path !== file && !BESIDE.includes(path))
      .map((path) => `it must not hold ${path}`),
    ...[file, ...BESIDE]
      .filter((path) => !platform.files.includes(path))
      .map((path) => `it lacks ${path}`),
    ...binaryComplaints(platform, binary),
  ]
    .map((complaint) => `${platform.package}: ${complaint}`)
    .concat(overBudget(platform, BUDGETS.platform))
}

function overBudget({ manifest, ...sizes }, budget) {
  return Object.entries(budget)
    .filter(([what, most]) => sizes[what] > most)
    .map(
      ([what, most]) => `${manifest.name}: ${sizes[what]} bytes ${TOLD[what]}, and at most ${most}`,
    )
}
