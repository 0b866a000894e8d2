// What builds for other machines than this one: zig as C compiler and linker, cargo-zigbuild between
// it and cargo, both from Python packages, and the standard library of Rust for each target.

import { mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { cached, pythonPackages } from '../download.mjs'
import { captured } from '../pack/captured.mjs'
import { ROOT, StepFailed, step } from '../steps.mjs'

const ZIG = '0.17.1'
/** By the hashes of the packages for Linux, on x64 and on arm64. */
const PINS = [
  `ziglang==${ZIG} --hash=sha256:ea6cc5d87b033cf0aedfbc8f9549a908cae6c50ac31f1698188fa48a74524b54 --hash=sha256:b7c5f02fccd40f89b999ee16a1f5ddced56e6182370f8affe494bcf8a28cf07e`,
  'cargo-zigbuild==0.24.1 --hash=sha256:238a1ab54a95053a4eadc34775c81f795a8ad75f80bfed63f3f445f518102375 --hash=sha256:07c5e3dcddf208500462ec927c556bb306cca2b533b0abe29446bffb63767b85',
]
const DOWNLOAD_MS = 600_000
const EMPTY_ARCHIVE = '!<arch>\n'
const STAND_INS = join(ROOT, '.cache', 'stand-ins')

/** The variables with which cargo finds zig, and what stands in for what only other systems have. */
export async function zig() {
  const folder = await cached(`zig-${ZIG}`, {
    what: `zig ${ZIG} and cargo-zigbuild (Python packages)`,
    wayOut: 'see that `python3 -m pip install` works, with pip 23 or newer',
    fill: (part) => pythonPackages(part, PINS),
  })
  const [libnode, frameworks] = ['libnode', 'frameworks'].map((name) => join(STAND_INS, name))
  await placeLibnode(libnode)
  await placeFrameworks(frameworks)
  return {
    env: {
      PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter),
      PYTHONPATH: folder,
      LIBNODE_PATH: libnode,
    },
    frameworks,
  }
}

/**
 * Stands in for Node's library, against which napi links addons for MinGW: ours looks functions up
 * when it is loaded, and links to none.
 */
async function placeLibnode(folder) {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'libnode.dll'), '')
  await writeFile(join(folder, 'libnode.a'), EMPTY_ARCHIVE)
}

/** Stands in for those of Apple's SDK: what is in them is left to be looked up by name. */
async function placeFrameworks(folder) {
  for (const name of ['CoreFoundation', 'Security']) {
    const own = join(folder, `${name}.framework`)
    await mkdir(own, { recursive: true })
    await writeFile(join(own, `${name}.tbd`), textStub(name))
  }
}

const textStub = (name) => `--- !tapi-tbd
tbd-version: 4
targets: [ x86_64-macos, arm64-macos ]
install-name: '/System/Library/Frameworks/${name}.framework/Versions/A/${name}'
...
`

/** Adds what is missing of Rust's standard library; rustup keeps it beside the toolchain. */
export async function rustTarget(target) {
  const rustup = (...args) => captured('rustup', ['target', ...args], { timeout: DOWNLOAD_MS })
  const installed = await rustup('list', '--installed').catch((error) => {
    throw new StepFailed(`Rust for ${target} is needed, which rustup adds: ${error.message}`)
  })
  if (installed.split('\n').includes(target)) return
  await step(`fetch Rust for ${target}`, () => rustup('add', target))
}
