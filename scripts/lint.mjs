// `npm run lint [-- PART…]`: formatting, lints and types.

import { LINT_PARTS } from './parts.mjs'
import { runParts } from './steps.mjs'

process.exitCode = await runParts(LINT_PARTS, process.argv.slice(2))
