// `npm run pack:check [-- PART…]`: builds for release, and holds the package against all it promises.

import { RELEASE_PARTS } from './parts.mjs'
import { runParts } from './steps.mjs'

process.exitCode = await runParts(RELEASE_PARTS, process.argv.slice(2))
