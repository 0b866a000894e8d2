// The versions of Node that are measured.

import { nodeOf } from '../scripts/runtimes.mjs'

/** Limits hold for the judged versions; the others are reported. */
export const MAJORS = [
  { major: 20, judged: true },
  { major: 22, judged: false },
  { major: 24, judged: true },
  { major: 26, judged: false },
]

/**
 * The programs of all versions, fetched where need be. One that cannot be had is left out with a
 * warning, unless the running Node is of that version.
 */
export async function findNodes() {
  const nodes = []
  for (const { major, judged } of MAJORS) {
    const path = await findNode(major)
    if (path !== undefined) nodes.push({ major, judged, path })
  }
  return nodes
}

async function findNode(major) {
  try {
    return await nodeOf(major)
  } catch (error) {
    if (isRunning(major)) return process.execPath
    process.stderr.write(`\n!! Node ${major} IS NOT MEASURED: ${error.message}\n\n`)
  }
}

const isRunning = (major) => Number(process.versions.node.split('.')[0]) === major
