// How the addon of each platform is built on this machine, or why it is not.

/** What every Linux distribution that is still maintained has, and what Node itself asks more than. */
const GLIBC = '2.17'

/** Windows is published as MSVC builds it, whose linker and libraries are on Windows alone. */
const MINGW = {
  'win32-x64-msvc': 'x86_64-pc-windows-gnu',
  'win32-arm64-msvc': 'aarch64-pc-windows-gnullvm',
}

/**
 * The way of a platform:
 * - `zig`: cross-built as `target`, to be published;
 * - `native`: built by this machine's own tools, to be published;
 * - `trial`: cross-built as the relative `target`, to see that it compiles and links;
 * - `left`: not built here, for the reason `why`.
 */
export function wayOf({ name, target, os, libc }, host = process.platform) {
  if (host === 'linux' && os === 'linux') {
    return { kind: 'zig', target, zigTarget: libc === 'glibc' ? `${target}.${GLIBC}` : target }
  }
  if (host === os) return { kind: 'native', target }
  if (host === 'linux' && name in MINGW) {
    return { kind: 'trial', target: MINGW[name], why: 'published from Windows, built by MSVC' }
  }
  if (os === 'darwin') {
    return { kind: 'left', why: 'to macOS: linking needs frameworks of its SDK' }
  }
  return { kind: 'left', why: `to ${os === 'win32' ? 'Windows' : 'Linux'}` }
}
