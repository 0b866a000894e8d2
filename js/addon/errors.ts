// Why there is no addon, told to whoever runs `npm install` and not to whoever wrote this package:
// what was wanted, what was found, and three ways out, the likeliest first.

import { manifest } from '../manifest.js'
import { describePlatform, thisPlatform } from './platform.js'

const page = () =>
  `${manifest.repository.url.replace(/^git\+|\.git$/g, '')}/blob/main/docs/installation.md`
const SOURCE =
  'build it in a clone of the repository (npm run build, with Rust), and set NAPI_RS_NATIVE_LIBRARY_PATH to the file'

/** Not a `MintIdError`: the table of those is in the addon. */
interface Trouble {
  what: string
  wanted: string
  found: string
  cures: [string, string, string]
  cause?: unknown
}

export function unsupportedNode(): Error {
  const range = manifest.engines.node
  return unavailable({
    what: `mintid does not run on Node.js ${process.versions.node}`,
    wanted: `Node.js ${range}`,
    found: `Node.js ${process.versions.node}`,
    cures: [
      'install one of those: a version with long-term support is the best choice',
      'where one is installed, see which one starts this program: which -a node',
      'in a container, raise the base image, such as FROM node:24-slim',
    ],
  })
}

export function unsupportedPlatform(): Error {
  return unavailable({
    what: `mintid is not built for ${describePlatform()}`,
    wanted: 'Linux (glibc or musl), macOS or Windows, on x64 or arm64',
    found: 'nothing: no package is published for this platform',
    cures: [
      'where the processor is one of those, use the 64-bit Node.js made for it: node -p process.arch',
      SOURCE,
      `ask for the platform: ${manifest.bugs.url}`,
    ],
  })
}

export function missing(cause: unknown): Error {
  const { platform, arch } = process
  const name = `mintid-${thisPlatform()}`
  const libc = name.endsWith('-musl') ? 'musl' : name.endsWith('-gnu') && 'glibc'
  const target = [`--os=${platform}`, `--cpu=${arch}`, libc && `--libc=${libc}`]
  const flags = target.filter(Boolean).join(' ')
  return unavailable({
    what: `mintid is installed without the addon for ${describePlatform()}`,
    wanted: wantedPackage(),
    found: 'nothing of that name',
    cures: [
      'let optional dependencies be installed: npm install --include=optional, and nothing like --omit=optional or --no-optional',
      `where node_modules or the lock file came from another platform: delete both and install again, or npm install ${flags}`,
      `where the program was bundled or copied: keep mintid external and ship ${name} with it, see ${page()}`,
    ],
    cause,
  })
}

export function notOpened(found: string, cause: unknown): Error {
  return unavailable({
    what: `the addon of mintid cannot be opened on ${describePlatform()}`,
    wanted: wantedPackage(),
    found,
    cures: [
      'install again, in case the file is damaged or of another platform: delete node_modules, then npm ci',
      'on Linux, see that the C library is glibc 2.17 or newer, or musl 1.2 or newer: an older base image is the usual reason',
      SOURCE,
    ],
    cause,
  })
}

export function otherVersion(from: string, version: string | undefined): Error {
  return unavailable({
    what: `mintid ${manifest.version} has found the addon of another version`,
    wanted: wantedPackage(),
    found: `version ${version ?? 'unknown'}, in ${from}`,
    cures: [
      'install again: delete node_modules, then npm ci',
      'see whether "overrides", "resolutions" or the lock file pin the addon by itself: npm ls --all | grep mintid',
      'where NAPI_RS_NATIVE_LIBRARY_PATH or a bundle names the file: build it anew from this version',
    ],
  })
}

const wantedPackage = () => `mintid-${thisPlatform()} ${manifest.version}`

function unavailable({ what, wanted, found, cures, cause }: Trouble): Error {
  const reason = cause instanceof Error ? cause.message.trim().split('\n')[0] : undefined
  const rows = { platform: describePlatform(), wanted, found, ...(reason && { cause: reason }) }
  const lines = Object.entries(rows).map(([name, text]) => `  ${name.padEnd(9)} ${text}`)
  const steps = cures.map((cure, i) => `  ${i + 1}. ${cure}`)
  const message = [what, ...lines, 'what to do:', ...steps].join('\n')
  const error = new Error(message, cause === undefined ? undefined : { cause })
  return Object.assign(error, { code: 'ERR_MINTID_ADDON_UNAVAILABLE' })
}
