// The parts that checks are made of. `test.mjs`, `lint.mjs`, `pack-check.mjs` and `ci.mjs` run them.

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { audit } from './audit.mjs'
import { build, buildTypeScript } from './build.mjs'
import { buildAll } from './build-all.mjs'
import { stateOf } from './cross/build.mjs'
import { checkFaults } from './faults/run.mjs'
import { checkConsumers } from './pack/consumers.mjs'
import { checkFiles } from './pack/files.mjs'
import { HOST } from './platforms.mjs'
import { shareServers } from './servers/shared.mjs'
import { setup } from './setup.mjs'
import { cargo, IN_CI, local, ROOT, run, StepFailed } from './steps.mjs'
import { checkWorkflows } from './workflows.mjs'

/** Node's runner names a test that hangs and goes on, instead of hanging with it. */
const TEST_TIMEOUT_MS = 300_000

const SETUP = { name: 'setup', run: setup }
const BUILD = { name: 'build', needs: ['setup'], run: () => build({ release: false }) }
const TYPES = { name: 'types', needs: ['build'], run: types }
const SERVERS = { name: 'servers', needs: ['setup'], run: shareServers }
/** Outside CI one may run a part alone: without servers it skips what needs them. */
const SHARED = IN_CI ? ['servers'] : []

export const TEST_PARTS = [
  SETUP,
  BUILD,
  TYPES,
  SERVERS,
  { name: 'js', needs: ['build', ...SHARED], run: () => nodeTest('__test__', /\.test\.[cm]js$/) },
  { name: 'examples', needs: ['build', ...SHARED], run: examples },
  { name: 'rust', needs: ['setup', ...SHARED], run: () => rustTest(['--workspace']) },
  { name: 'docs', needs: ['setup'], run: () => cargo(['test', '--doc', '--workspace']) },
  { name: 'loom', needs: ['setup'], run: loom },
]

export const LINT_PARTS = [
  SETUP,
  { name: 'fmt', needs: ['setup'], run: () => run('cargo', ['fmt', '--all', '--check']) },
  {
    name: 'biome',
    needs: ['setup'],
    run: () => run(local('biome'), ['check', '--error-on-warnings']),
  },
  { name: 'audit', needs: ['setup'], run: () => audit() },
  { name: 'workflows', needs: ['setup'], run: () => checkWorkflows() },
  { name: 'clippy', needs: ['setup'], run: clippy },
  BUILD,
  TYPES,
]

/** The short form of `npm run faults`. */
export const FAULT_PARTS = [SETUP, BUILD, { name: 'faults', needs: ['build'], run: checkFaults }]

/** As it is published: built for release, by the tools that keep to an old C library. */
const RELEASE = { name: 'release', needs: ['setup'], run: buildRelease }

export const PACK_PARTS = packParts(BUILD)

/** The same alone, without an addon for tests. */
export const RELEASE_PARTS = packParts({
  name: 'typescript',
  needs: ['release'],
  run: buildTypeScript,
})

/** What was built from these sources is there to be packed; its types are in the checkout. */
async function buildRelease() {
  if (stateOf(HOST) === 'fresh' && existsSync(join(ROOT, 'binding.d.cts'))) return
  await buildAll([HOST])
}

/** `typescript` is what fills dist/. */
function packParts(typescript) {
  const needs = ['release', typescript.name]
  return [
    SETUP,
    RELEASE,
    typescript,
    { name: 'pack', needs, run: checkFiles },
    { name: 'consumers', needs, run: checkConsumers },
  ]
}

/** Programs of their own are those whose declarations would reach into the others. */
async function types() {
  for (const project of ['.', '__test__/nest-registered']) await run(local('tsc'), ['-p', project])
}

function clippy() {
  return cargo(['clippy', '--workspace', '--all-targets', '--', '-D', 'warnings'])
}

function nodeTest(folder, pattern) {
  const files = filesIn(folder, pattern)
  // Without a file the runner would look for tests by itself, and pass when there are none.
  if (files.length === 0) throw new StepFailed(`${folder} holds no test`)
  return run(process.execPath, [
    '--test',
    '--test-reporter=spec',
    `--test-timeout=${TEST_TIMEOUT_MS}`,
    `--test-concurrency=${availableParallelism()}`,
    ...files,
  ])
}

/** Every example is run: those of the Rust crate as programs, those in JavaScript by their tests. */
async function examples() {
  const programs = filesIn('crates/engine/examples', /\.rs$/)
  if (programs.length === 0) throw new StepFailed('crates/engine/examples holds no example')
  for (const file of programs) {
    const name = file.slice(file.lastIndexOf('/') + 1, -'.rs'.length)
    await cargo(['run', '--quiet', '-p', 'mintid', '--example', name])
  }
  if (existsSync(join(ROOT, 'examples'))) await nodeTest('examples', /\/test\.[cm]js$/)
}

function loom() {
  return rustTest(['-p', 'mintid-core'], {
    only: 'loom_',
    profile: 'loom',
    // Another set of flags in the same folder would rebuild everything at each turn.
    env: { RUSTFLAGS: '--cfg loom', LOOM_MAX_PREEMPTIONS: '3', CARGO_TARGET_DIR: 'target/loom' },
  })
}

/** Runs Rust tests by nextest, or by cargo alone where a contributor does not have nextest. */
function rustTest(packages, { only, profile, env } = {}) {
  if (hasNextest()) {
    const profiles = profile ? ['--profile', profile, '--cargo-profile', profile] : []
    const filter = only ? ['-E', `test(/(^|::)${only}/)`] : []
    return cargo(['nextest', 'run', ...packages, ...profiles, ...filter], { env })
  }
  // Unlike nextest, cargo passes when a filter matches no test at all.
  if (IN_CI) throw new StepFailed('cargo-nextest is missing')
  const profiles = profile ? ['--profile', profile] : []
  const filter = only ? [only] : []
  return cargo(['test', ...packages, '--all-targets', ...profiles, ...filter], { env })
}

const hasNextest = () => spawnSync('cargo', ['nextest', '--version']).status === 0

/** The files under a folder whose path matches, as paths from the root. */
function filesIn(folder, pattern) {
  if (!existsSync(join(ROOT, folder))) return []
  return readdirSync(join(ROOT, folder), { recursive: true })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((path) => pattern.test(path) && !path.includes('/node_modules/'))
    .sort()
}
