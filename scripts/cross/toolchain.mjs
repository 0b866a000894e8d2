// What builds for other machines than this one: zig as C compiler and linker, cargo-zigbuild between
// it and cargo, both from Python packages, and the standard library of Rust for each target.

import { mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { cached, pythonPackages } from '../download.mjs'
import { captured } from '../pack/captured.mjs'
import { StepFailed, step } from '../steps.mjs'

const ZIG = '0.17.1'
/** By the hashes of the packages for Linux, on x64 and on arm64. */
const PINS = [
  `ziglang==${ZIG} --hash=sha256:ea6cc5d87b033cf0aedfbc8f9549a908cae6c50ac31f1698188fa48a74524b54 --hash=sha256:b7c5f02fccd40f89b999ee16a1f5ddced56e6182370f8affe494bcf8a28cf07e`,
  'cargo-zigbuild==0.24.1 --hash=sha256:238a1ab54a95053a4eadc34775c81f795a8ad75f80bfed63f3f445f518102375 --hash=sha256:07c5e3dcddf208500462ec927c556bb306cca2b533b0abe29446bffb63767b85',
]
const DOWNLOAD_MS = 600_000
const EMPTY_ARCHIVE = '!<arch>\n'

/** The variables with which cargo finds zig; fetched if need be. */
export async function zig() {
  const folder = await cached(`zig-${ZIG}`, {
    what: `zig ${ZIG} and cargo-zigbuild (Python packages)`,
    wayOut: 'see that `python3 -m pip install` works, with pip 23 or newer',
    fill: async (part) => {
      await pythonPackages(part, PINS)
      await placeLibnode(join(part, 'libnode'))
    },
  })
  return {
    PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter),
    PYTHONPATH: folder,
    LIBNODE_PATH: join(folder, 'libnode'),
  }
}

/**
 * Stands in for Node's library, against which napi links addons for MinGW: ours looks functions up
 * when it is loaded, and links to none.
 */
async function placeLibnode(folder) {
  await mkdir(folder)
  await writeFile(join(folder, 'libnode.dll'), '')
  await writeFile(join(folder, 'libnode.a'), EMPTY_ARCHIVE)
}

/** Adds what is missing of Rust's standard library; rustup keeps it beside the toolchain. */
export async function rustTarget(target) {
  const rustup = (...args) => captured('rustup', ['target', ...args], { timeout: DOWNLOAD_MS })
  const installed = await rustup('list', '--installed').catch((error) => {
    throw new StepFailed(`Rust for ${target} is needed, which rustup adds: ${error.message}`)
  })
  if (installed.split('\n').includes(target)) return
  await step(`fetch Rust for ${target}`, () => rustup('add', target))
}
