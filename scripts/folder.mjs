// A folder for what a script writes on its way.

import { mkdtempSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that goes with this process, however it ends, short of SIGKILL. */
export function temporaryFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), `mintid-${name}-`))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => process.exit(128 + constants.signals[signal]))
  }
  return folder
}
