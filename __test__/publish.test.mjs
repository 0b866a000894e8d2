// What a release publishes, in which order, and when it publishes nothing at all: by npm itself, to
// a registry on loopback, with packages that hold next to nothing.

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { PLATFORMS } from '../scripts/platforms.mjs'
import { npmRegistry } from '../scripts/publish/npm-registry.mjs'
import { release } from '../scripts/publish/release.mjs'
import { readTarballs } from '../scripts/publish/tarballs.mjs'
import { folderOf } from './support/folder.mjs'
import { registry } from './support/registry.mjs'
import { packInto } from './support/tarball.mjs'

const SCRIPT = fileURLToPath(new URL('../scripts/publish.mjs', import.meta.url))
/** One of each kind: with a libc and without. */
const FEW = ['darwin-arm64', 'linux-x64-musl'].map((name) =>
  PLATFORMS.find((each) => each.name === name),
)
const IDS = ['mintid-darwin-arm64@1.2.3', 'mintid-linux-x64-musl@1.2.3', 'mintid@1.2.3']
const CHANGELOG =
  '# Changelog\n\n## [1.2.3] - 2026-01-02\n\n- new\n\n## [1.3.0-next.1]\n\n- newer\n'
const NOW = { attempts: 2, pauseMs: 1 }

const published = (distTag = 'latest') => IDS.map((id) => `${id} as ${distTag}`)

test('the platform packages go first, and the root goes last', async (t) => {
  const { own, publish, said } = await setUp(t)
  await publish()
  assert.deepEqual(own.published, published())
  assert.ok(said.includes('the registry shows all 2 pins'), said.join('\n'))
})

test('a version before its release does not become the latest', async (t) => {
  const { own, publish } = await setUp(t, { version: '1.3.0-next.1' })
  await publish()
  assert.deepEqual(
    own.published.map((line) => line.split(' ').at(-1)),
    ['next', 'next', 'next'],
  )
})

test('a dry run tells the plan in its order, and publishes nothing', async (t) => {
  const { own, publish, said } = await setUp(t)
  await publish({ dryRun: true })
  assert.deepEqual(own.published, [])
  const [one, other, root] = IDS
  assert.deepEqual(said[0].split('\n'), [
    `1. publish ${one} as latest`,
    `2. publish ${other} as latest`,
    '3. wait until the registry shows all of them',
    `4. publish ${root} as latest`,
  ])
})

for (const [what, change, told] of [
  [
    'an addon that was not built',
    ({ platforms }) => {
      platforms[0].tarball = undefined
    },
    'mintid-darwin-arm64 has no tarball',
  ],
  [
    'a platform that is missing',
    ({ platforms }) => platforms.pop(),
    'mintid-linux-x64-musl is missing',
  ],
  [
    'a platform that nobody asked for',
    ({ platforms }) => platforms.push({ manifest: { name: 'mintid-plan9-x64' } }),
    'mintid-plan9-x64 is no platform',
  ],
  [
    'a root without its list of platforms',
    ({ root }) => delete root.manifest.optionalDependencies,
    'mintid does not list mintid-darwin-arm64: 1.2.3 is due',
  ],
  [
    'a pin of another version',
    ({ root }) => {
      root.manifest.optionalDependencies['mintid-linux-x64-musl'] = '1.2.2'
    },
    'mintid pins 1.2.2 of mintid-linux-x64-musl: 1.2.3 is due',
  ],
  [
    'a pin that is a range',
    ({ root }) => {
      root.manifest.optionalDependencies['mintid-linux-x64-musl'] = '^1.2.3'
    },
    'mintid pins ^1.2.3 of',
  ],
  [
    'a pin of no platform',
    ({ root }) => {
      root.manifest.optionalDependencies.sharp = '1.2.3'
    },
    'mintid lists sharp',
  ],
  [
    'a platform of another version',
    ({ platforms }) => {
      platforms[0].manifest.version = '1.2.2'
    },
    'mintid-darwin-arm64 is of version 1.2.2, the root of 1.2.3',
  ],
  [
    'a platform that does not name its libc',
    ({ platforms }) => delete platforms[1].manifest.libc,
    'mintid-linux-x64-musl has libc undefined, not musl',
  ],
  [
    'a platform of another processor',
    ({ platforms }) => {
      platforms[0].manifest.cpu = ['x64']
    },
    'mintid-darwin-arm64 has cpu x64, not arm64',
  ],
  [
    'a root without a tarball',
    ({ root }) => {
      root.tarball = undefined
    },
    'mintid has no tarball',
  ],
]) {
  test(`${what} keeps everything unpublished`, async (t) => {
    const { own, packages, publish } = await setUp(t)
    change(packages)
    await assert.rejects(publish(), ({ message }) => {
      assert.ok(message.startsWith('nothing was published:\n'), message)
      assert.ok(message.includes(told), message)
      return true
    })
    assert.deepEqual(own.published, [])
  })
}

for (const [checks, told] of [
  [{ tag: 'v1.2.4' }, 'the tag is v1.2.4, and the version 1.2.3'],
  [{ changelog: '## [Unreleased]\n\n- new\n' }, 'CHANGELOG.md has no section [1.2.3]'],
]) {
  test(`${Object.keys(checks)} and version have to agree`, async (t) => {
    const { own, publish } = await setUp(t)
    await assert.rejects(publish({}, checks), ({ message }) => message.includes(told))
    assert.deepEqual(own.published, [])
  })
}

test('the tag of the version is the right one', async (t) => {
  const { own, publish } = await setUp(t)
  await publish({ dryRun: true }, { tag: 'v1.2.3' })
  assert.deepEqual(own.published, [])
})

test('while the registry does not show a pin, the root stays unpublished', async (t) => {
  const { own, publish, said } = await setUp(t)
  own.hidden.add('mintid-darwin-arm64')
  await assert.rejects(publish(), ({ message }) => {
    assert.match(message, /did not show mintid-darwin-arm64@1\.2\.3, asked 2 times/)
    assert.match(message, /^not published: mintid@1\.2\.3$/m)
    return true
  })
  assert.deepEqual(own.published, published().slice(0, 2))
  assert.ok(said.includes('not shown yet (1 of 2): mintid-darwin-arm64@1.2.3'), said.join('\n'))
})

test('what broke off is finished by a second run', async (t) => {
  const { own, publish, said } = await setUp(t)
  own.refused.add('mintid-linux-x64-musl')
  await assert.rejects(publish(), ({ message }) => {
    assert.match(message, /^published: mintid-darwin-arm64@1\.2\.3$/m)
    assert.match(message, /^not published: mintid-linux-x64-musl@1\.2\.3, mintid@1\.2\.3$/m)
    assert.match(message, /refused by the test|E403/)
    return true
  })
  own.refused.clear()
  await publish()
  assert.deepEqual(own.published, published())
  await publish()
  assert.deepEqual(own.published, published())
  assert.match(said.at(-2), /^4\. leave out mintid@1\.2\.3, which is published$/m)
})

test('a version that was published with other content is not published again', async (t) => {
  const { own, publish } = await setUp(t)
  await publish()
  const other = await setUp(t, { own, content: 'changed' })
  await assert.rejects(other.publish(), ({ message }) => {
    assert.match(
      message,
      /^nothing was published:\n {2}mintid-darwin-arm64@1\.2\.3 is published with/,
    )
    return true
  })
  assert.deepEqual(own.published, published())
})

test('a registry that cannot be asked keeps everything unpublished', async (t) => {
  const { own, publish } = await setUp(t)
  const closed = npmRegistry([
    ...own.settings,
    '--registry=http://127.0.0.1:1',
    '--fetch-retries=0',
  ])
  await assert.rejects(publish({ registry: closed }), /nothing was published:\n[\s\S]*ECONNREFUSED/)
  assert.deepEqual(own.published, [])
})

test('release ends with 1 when an artifact is missing, and publishes nothing', async (t) => {
  const own = await registry(t)
  const folder = await packed(t, { wanted: PLATFORMS })
  rmSync(join(folder, 'mintid-win32-x64-msvc.tgz'))
  const { code, stdout, stderr } = await command(['--packages', folder], own)
  assert.equal(code, 1, stdout)
  assert.equal(stdout, '')
  assert.match(stderr, /^nothing was published:\n[\s\S]*mintid-win32-x64-msvc is missing/)
  assert.deepEqual(own.published, [])
})

test('release ends with 1 in a folder without the root', async (t) => {
  const own = await registry(t)
  const { code, stderr } = await command(['--packages', folderOf(t), '--dry-run'], own)
  assert.equal(code, 1)
  assert.match(stderr, /holds no tarball of mintid/)
})

for (const args of [['--bogus'], ['extra'], ['--tag']]) {
  test(`release ${args.join(' ')} is refused by name`, async (t) => {
    const { code, stdout, stderr } = await command(args, await registry(t))
    assert.equal(code, 2)
    assert.equal(stdout, '')
    assert.ok(stderr.includes(args[0]), stderr)
  })
}

/** A registry, packages, and `publish(options, checks)`; `said` is what it told so far. */
async function setUp(t, { own, version = '1.2.3', content } = {}) {
  own ??= await registry(t)
  const folder = await packed(t, { wanted: FEW, version, content })
  const packages = await readTarballs(folder, 'mintid')
  const said = []
  const publish = (options, checks) =>
    release(packages, {
      registry: npmRegistry(own.settings),
      checks: { wanted: FEW, changelog: CHANGELOG, ...checks },
      wait: NOW,
      say: (line) => said.push(line),
      ...options,
    })
  return { own, packages, publish, said }
}

/** A folder with a tarball of the root, and of each platform. */
async function packed(t, { wanted, version = '1.2.3', content = '' }) {
  const folder = folderOf(t)
  for (const { package: name, os, cpu, libc } of wanted) {
    const own = { os: [os], cpu: [cpu], ...(libc && { libc: [libc] }) }
    await pack(folder, { name, version, ...own }, content)
  }
  const pins = wanted.map((each) => [each.package, version])
  const optionalDependencies = Object.fromEntries(pins)
  await pack(folder, { name: 'mintid', version, optionalDependencies }, content)
  return folder
}

function pack(folder, manifest, content) {
  // As in ours: outside a workflow npm fails at this, unless it is told otherwise.
  const publishConfig = { access: 'public', provenance: true }
  return packInto(folder, { ...manifest, publishConfig }, { 'content.txt': content })
}

function command(args, { environment }) {
  return new Promise((resolve) => {
    const env = { ...process.env, ...environment }
    execFile(process.execPath, [SCRIPT, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, stdout, stderr }),
    )
  })
}
