// Loaded before the package: makes this process look like another machine to it. FAKED_HOST is JSON:
// `{ platform, arch, node, glibc, program }`, the last a file in the place of Node's own.

const fs = require('node:fs')

const { platform, arch, node, glibc, program } = JSON.parse(process.env.FAKED_HOST)
const define = (object, name, value) => Object.defineProperty(object, name, { value })

if (platform) define(process, 'platform', platform)
if (arch) define(process, 'arch', arch)
if (node) define(process, 'versions', { ...process.versions, node })
if (platform)
  define(process, 'report', { getReport: () => ({ header: { glibcVersionRuntime: glibc } }) })
if (program) {
  const { openSync } = fs
  fs.openSync = (file, ...rest) => openSync(file === '/proc/self/exe' ? program : file, ...rest)
}
