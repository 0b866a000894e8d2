// Processes as `node:cluster` starts them.

import cluster from 'node:cluster'

/** Starts a module as a worker of this process; the same as `fork` of `node:child_process`. */
export function clusterWorker(module, { stdio }) {
  cluster.setupPrimary({ exec: module, args: [], stdio })
  return cluster.fork().process
}
