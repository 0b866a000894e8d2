// How the addon of each platform is built on this machine, or why it is not.

/** What every Linux distribution that is still maintained has, and what Node itself asks more than. */
const GLIBC = '2.17'

/**
 * What a Linux host tries out: Windows as MinGW, for MSVC's linker and libraries are on Windows alone;
 * macOS against frameworks that are not there.
 */
const TRIALS = {
  'win32-x64-msvc': {
    target: 'x86_64-pc-windows-gnu',
    library: 'mintid_node.dll',
    why: 'published from Windows, built by MSVC',
  },
  'win32-arm64-msvc': {
    target: 'aarch64-pc-windows-gnullvm',
    library: 'mintid_node.dll',
    why: 'published from Windows, built by MSVC',
  },
  'darwin-x64': {
    target: 'x86_64-apple-darwin',
    library: 'libmintid_node.dylib',
    why: 'published from macOS, linked against its SDK',
  },
  'darwin-arm64': {
    target: 'aarch64-apple-darwin',
    library: 'libmintid_node.dylib',
    why: 'published from macOS, linked against its SDK',
  },
}

/**
 * The way of a platform:
 * - `zig`: cross-built as `target`, to be published;
 * - `native`: built by this machine's own tools, to be published;
 * - `trial`: cross-built as `target`, only to see that it compiles and links;
 * - `left`: not built here, for the reason `why`.
 */
export function wayOf({ name, target, os, libc }, host = process.platform) {
  if (host === 'linux' && os === 'linux') {
    return { kind: 'zig', target, zigTarget: libc === 'glibc' ? `${target}.${GLIBC}` : target }
  }
  if (host === os) return { kind: 'native', target }
  if (host === 'linux' && name in TRIALS) return { kind: 'trial', ...TRIALS[name] }
  return { kind: 'left', why: `to ${SYSTEMS[os]}` }
}

const SYSTEMS = { linux: 'Linux', darwin: 'macOS', win32: 'Windows' }
