// The servers that a run of the tests shares, and that `npm run servers` starts for whoever wants
// to try them: one of each kind.

import { startCluster } from './cluster.mjs'
import { startRedis } from './redis.mjs'
import { startSentinel } from './sentinel.mjs'

/** What they granted outlives a crash; and a new generator is confirmed without waiting for a second to pass. */
const ARGS = ['--appendonly', 'yes', '--appendfsync', 'always']

const STARTS = {
  redis7: (options) => startRedis({ kind: 'redis7', ...options }),
  redis8: (options) => startRedis({ kind: 'redis8', ...options }),
  valkey9: (options) => startRedis({ kind: 'valkey9', ...options }),
  cluster: startCluster,
  sentinel: startSentinel,
  kvrocks: (options) => startRedis({ kind: 'kvrocks', ...options }),
}

export const NAMES = Object.keys(STARTS)

/** Starts one of the set; `options` are those of `startRedis` that say where and how it lives. */
export const startNamed = (name, options) => STARTS[name]({ args: ARGS, ...options })

/** The variable that tells tests where one of the set is. */
export const variableOf = (name) => `MINTID_TEST_${name.toUpperCase()}_URL`
