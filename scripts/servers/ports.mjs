// Ports on loopback that nobody listens on.

import { once } from 'node:events'
import { createServer } from 'node:net'
import { StepFailed } from '../steps.mjs'

/**
 * Below those that systems give to outgoing connections: one of these could take the port of a
 * server between its end and its next start, even by connecting to itself. The bus of a cluster
 * has a second port, 10,000 higher, for which the same holds.
 */
const RANGE = { least: 12_000, most: 22_000 }
const ATTEMPTS = 100

/** A process that meets another server where it knew one takes it for the same, gone back. */
const given = new Set()

/**
 * A port that is free now and that this process was never given, picked by chance so that
 * processes seldom pick the same one.
 */
export async function freePort() {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const port = RANGE.least + Math.floor(Math.random() * (RANGE.most - RANGE.least))
    if (!given.has(port) && (await isFree(port))) {
      given.add(port)
      return port
    }
  }
  throw new StepFailed(`no free port from ${RANGE.least} to ${RANGE.most} in ${ATTEMPTS} attempts`)
}

async function isFree(port) {
  const server = createServer()
  try {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
