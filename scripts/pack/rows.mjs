// A table that is made by trying: each row is somebody who uses the package.

import { StepFailed } from '../steps.mjs'
import { printTable } from '../table.mjs'

/** Does the checks of rows, `{ title, form, check }`, in their order, and prints the table; gives how many failed. */
export async function runRows(rows) {
  const cells = []
  const complaints = []
  for (const { title, form, check } of rows) {
    process.stderr.write(`▸ ${title}, ${form}\n`)
    try {
      cells.push([title, form, await check()])
    } catch (error) {
      cells.push([title, form, 'FAILED'])
      const reason = error instanceof StepFailed ? error.message : error.stack
      complaints.push(`\n${title} (${form}):\n${reason}\n`)
    }
  }
  printTable(['consumer', 'form', 'result'], cells)
  process.stdout.write(complaints.join(''))
  return complaints.length
}
