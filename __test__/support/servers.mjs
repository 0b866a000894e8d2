// Real servers: one of a test's own, or those that the run shares.

import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { noServers } from '../../scripts/servers/binaries.mjs'
import { startCluster } from '../../scripts/servers/cluster.mjs'
import { startRedis } from '../../scripts/servers/redis.mjs'
import { startSentinel } from '../../scripts/servers/sentinel.mjs'
import { IN_CI } from '../../scripts/steps.mjs'

const SHARED = ['REDIS7', 'REDIS8', 'VALKEY9', 'CLUSTER', 'SENTINEL', 'KVROCKS']

/** Those of which it was told already. */
const missing = new Set()

/**
 * Why tests with servers of their own are skipped here, for `skip` of a test: a reason, or false.
 * In CI none is: there, a server that cannot be started fails its test.
 */
export const withoutServers = !IN_CI && noServers !== undefined && noServers

/** A server that ends with the test; `options` are those of `startRedis`. */
export const server = (t, options) => endingWith(t, startRedis(options))

/** A cluster that ends with the test; `options` are those of `startCluster`. */
export const cluster = (t, options) => endingWith(t, startCluster(options))

/** Sentinels with what they watch, which end with the test; `options` are those of `startSentinel`. */
export const sentinel = (t, options) => endingWith(t, startSentinel(options))

async function endingWith(t, starting) {
  const started = await starting
  t.after(() => started.stop())
  return started
}

/**
 * The URL of a server that the run shares, such as `REDIS7`: others use it at the same time, so
 * that a test takes a `freshKey`. Where there is none CI fails, and elsewhere it is undefined and
 * told to whoever looks at the run.
 */
export function sharedUrl(name) {
  if (!SHARED.includes(name)) throw new TypeError(`no such server: ${name} (${SHARED.join(', ')})`)
  const variable = `MINTID_TEST_${name}_URL`
  const url = process.env[variable] || undefined
  if (url !== undefined) return url
  const wayOut = 'eval "$(npm run -s servers -- start --env)" starts what is missing'
  const told = `${variable} is not set: ${wayOut}`
  if (IN_CI) throw new Error(told)
  if (!missing.has(name)) process.stderr.write(`!! TESTS ARE SKIPPED: ${told}\n`)
  missing.add(name)
}

/** A test on a server that the run shares: `body(t, url)`. */
export function testOn(server, name, body) {
  const url = sharedUrl(server)
  const skip = url === undefined && `there is no ${server}`
  test(`${name}, on ${server}`, { skip }, (t) => body(t, url))
}

/** The name of a hash that no other test uses. */
export const freshKey = () => `test-${randomUUID()}`
