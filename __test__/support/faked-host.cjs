// Loaded before the package: makes this process look like another machine to it. FAKED_HOST is JSON:
// `{ platform, arch, libc, version, node }`.

const Module = require('node:module')

const { platform, arch, libc, version, node } = JSON.parse(process.env.FAKED_HOST)
const define = (object, name, value) => Object.defineProperty(object, name, { value })

if (platform) define(process, 'platform', platform)
if (arch) define(process, 'arch', arch)
if (node) define(process, 'versions', { ...process.versions, node })
if (libc) {
  const load = Module._load
  const faked = { MUSL: 'musl', familySync: () => libc, versionSync: () => version }
  Module._load = function (request, ...rest) {
    return request === 'detect-libc' ? faked : load.call(this, request, ...rest)
  }
}
