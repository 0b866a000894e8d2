#!/usr/bin/env node
// The command `mintid`.

import { main } from './main.js'

main(process.argv.slice(2)).then((code) => {
  // Set rather than exited with, so that what was written comes out whole.
  process.exitCode = code
})
