// What the package says of itself. `scripts/build.mjs` puts the values in the place of this module:
// in an application's bundle there is no file to read them from.

interface Manifest {
  version: string
  engines: { node: string }
  repository: { url: string }
  bugs: { url: string }
}

export const manifest: Manifest = require('../package.json')
