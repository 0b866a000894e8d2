// What the package says of itself. A literal `require`, which bundlers follow: a path that is worked
// out at run time would lead into the application's own manifest.

interface Manifest {
  version: string
  engines: { node: string }
  repository: { url: string }
  bugs: { url: string }
}

export const manifest: Manifest = require('../package.json')
