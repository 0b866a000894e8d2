// Holds the root package against what it promises: the tarball's files, the entry points, no
// install scripts, and lock files that any registry can serve.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, StepFailed } from '../steps.mjs'
import { packedFiles } from './stage.mjs'

const ALWAYS = [
  'CHANGELOG.md',
  'LICENSE-APACHE',
  'LICENSE-MIT',
  'README.md',
  'dist/mintid.js',
  'express.d.ts',
  'fastify.d.ts',
  'index.d.ts',
  'nest.d.ts',
  'nest/terminus.d.ts',
  'package.json',
  'testing.d.ts',
]
const ALLOWED = [/^README(\.\w+)?\.md$/, /^dist\/[\w/-]+\.(js|mjs|d\.mts)$/]
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare']
const LOCK_FOLDERS = [
  '.',
  'scripts/consumers',
  'scripts/matrix',
  'examples/express',
  'examples/fastify',
  'examples/nest',
  'examples/nest/versions/10',
  'examples/nest/versions/11',
  'examples/testing',
]

/** Fails with every complaint at once; the addon and dist/ must have been built. */
export async function checkFiles() {
  const manifest = JSON.parse(read('package.json'))
  const packed = await packedFiles()
  const promised = [...targets(manifest.exports), ...targets(manifest.bin ?? {})]
  const complaints = [
    ...ALWAYS.filter((file) => !packed.includes(file)).map((file) => `the tarball lacks ${file}`),
    ...strangers(packed, promised).map((file) => `the tarball must not hold ${file}`),
    ...promised
      .filter((file) => !packed.includes(file))
      .map((file) => `package.json leads to ${file}, which is not in the tarball`),
    ...INSTALL_SCRIPTS.filter((name) => name in manifest.scripts).map(
      (name) =>
        `package.json must not have a script ${name}: it would run where mintid is installed`,
    ),
    ...('optionalDependencies' in manifest
      ? ['package.json must not name platform packages: publishing does']
      : []),
    ...LOCK_FOLDERS.flatMap(lockComplaints),
  ]
  if (complaints.length > 0) throw new StepFailed(complaints.join('\n'))
  process.stdout.write(`the tarball holds ${packed.length} files:\n  ${packed.join('\n  ')}\n`)
}

const strangers = (packed, promised) =>
  packed
    .filter((file) => ![...ALWAYS, ...promised].includes(file))
    .filter((file) => !ALLOWED.some((pattern) => pattern.test(file)))

/** The files that a field of the manifest leads to, under whatever conditions. */
function targets(field) {
  if (typeof field === 'string') return [field.replace(/^\.\//, '')]
  return Object.values(field).flatMap(targets)
}

function lockComplaints(folder) {
  const complaints = []
  const [lock, settings] = ['package-lock.json', '.npmrc'].map((name) => join(folder, name))
  if (/"resolved": "https?:/.test(read(lock))) {
    complaints.push(`${lock} names a registry: see omit-lockfile-registry-resolved`)
  }
  if (!/^omit-lockfile-registry-resolved=true$/m.test(read(settings))) {
    complaints.push(`${settings} must keep omit-lockfile-registry-resolved=true`)
  }
  return complaints
}

const read = (file) => readFileSync(join(ROOT, file), 'utf8')
