// What a change must pass: lints, tests and the package. `.ci/run` calls it.

import { FAULT_PARTS, LINT_PARTS, PACK_PARTS, TEST_PARTS } from './parts.mjs'
import { runParts } from './steps.mjs'

// Parts that several lists share are the same objects, so each runs once.
const parts = [...new Set([...LINT_PARTS, ...PACK_PARTS, ...TEST_PARTS, ...FAULT_PARTS])]
process.exitCode = await runParts(parts, process.argv.slice(2))
