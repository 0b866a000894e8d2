// Holds the package against what it promises: the tarball's files, the entry points, no install
// scripts, and a lock file that any registry can serve.

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setup } from './setup.mjs'
import { isMain, main, ROOT, StepFailed } from './steps.mjs'

const ALWAYS = [
  'CHANGELOG.md',
  'LICENSE-APACHE',
  'LICENSE-MIT',
  'README.md',
  'binding.cjs',
  'index.d.ts',
  'package.json',
]
const ALLOWED = [/^README(\.\w+)?\.md$/, /^dist\/[\w/-]+\.(js|mjs|d\.mts)$/]
const INSTALL_SCRIPTS = ['preinstall', 'install', 'postinstall', 'prepare']

/** Fails with every complaint at once; the addon and dist/ must have been built. */
export function checkPackage() {
  const manifest = JSON.parse(read('package.json'))
  const packed = packedFiles()
  const complaints = [
    ...ALWAYS.filter((file) => !packed.includes(file)).map((file) => `the tarball lacks ${file}`),
    ...strangers(packed).map((file) => `the tarball must not hold ${file}`),
    ...missingFromDist(packed).map((file) => `the tarball lacks ${file}`),
    ...targets(manifest.exports)
      .filter((file) => !packed.includes(file))
      .map((file) => `exports leads to ${file}, which is not in the tarball`),
    ...INSTALL_SCRIPTS.filter((name) => name in manifest.scripts).map(
      (name) =>
        `package.json must not have a script ${name}: it would run where mintid is installed`,
    ),
    ...lockFile(read('package-lock.json')),
  ]
  if (complaints.length > 0) throw new StepFailed(complaints.join('\n'))
  process.stdout.write(`the tarball holds ${packed.length} files:\n  ${packed.join('\n  ')}\n`)
}

function packedFiles() {
  const answer = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: process.platform === 'win32',
  })
  return JSON.parse(answer)[0].files.map(({ path }) => path)
}

const strangers = (packed) =>
  packed.filter((file) => !ALWAYS.includes(file) && !ALLOWED.some((pattern) => pattern.test(file)))

/** Each source has its output: a build that was interrupted is not published. */
function missingFromDist(packed) {
  return readdirSync(join(ROOT, 'js'), { recursive: true })
    .filter((name) => /\.m?ts$/.test(name))
    .map((name) => `dist/${name.replaceAll('\\', '/').replace(/ts$/, 'js')}`)
    .filter((file) => !packed.includes(file))
}

/** The files that `exports` leads to, under whatever conditions. */
function targets(exports) {
  if (typeof exports === 'string') return [exports.replace('./', '')]
  return Object.values(exports).flatMap(targets)
}

function lockFile(text) {
  const complaints = []
  if (/"resolved": "https?:/.test(text)) {
    complaints.push('package-lock.json names a registry: see omit-lockfile-registry-resolved')
  }
  if (!/^omit-lockfile-registry-resolved=true$/m.test(read('.npmrc'))) {
    complaints.push('.npmrc must keep omit-lockfile-registry-resolved=true')
  }
  return complaints
}

const read = (file) => readFileSync(join(ROOT, file), 'utf8')

if (isMain(import.meta.url)) {
  await main(async () => {
    await setup()
    checkPackage()
  })
}
