// `npm test [-- PART…]`: sets up, builds, and runs every test there is.

import { TEST_PARTS } from './parts.mjs'
import { runParts } from './steps.mjs'

process.exitCode = await runParts(TEST_PARTS, process.argv.slice(2))
