// Processes that look like each other from inside, as those in containers do: each has a PID
// namespace of its own, in which it is number 1, and the same host name.

import { fork, spawnSync } from 'node:child_process'

const HOST = 'twin'
const UNSHARED = ['--pid', '--uts', '--mount-proc', '--fork', '--kill-child=KILL']
/** Names the host, and becomes the command that follows. */
const NAMED = ['sh', '-c', `hostname ${HOST} && exec "$@"`, 'sh']

/** Why there can be none here; undefined where there can. */
export function noPidNamespaces() {
  const { status, error, stderr } = spawnSync('unshare', [...UNSHARED, ...NAMED, 'true'], {
    encoding: 'utf8',
  })
  if (status === 0) return undefined
  return `PID namespaces are not permitted: ${error?.message ?? stderr.trim()}`
}

/** The same as `fork` of `node:child_process`. */
export const inPidNamespace = (module, options) =>
  fork(module, {
    ...options,
    execPath: 'unshare',
    execArgv: [...UNSHARED, ...NAMED, process.execPath],
  })
