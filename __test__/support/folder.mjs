import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that goes with the test. */
export function folderOf(t) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'mintid-test-')))
  t.after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
  return folder
}

/** A file of that folder which does not exist yet, and the URL of the store in it. */
export function storeOf(t) {
  const file = join(folderOf(t), 'ids.db')
  return { file, url: `sqlite:${file}` }
}
