// A cluster of three masters, with or without replicas, put together by the commands that
// `redis-cli --cluster create` would send.

import { join } from 'node:path'
import { allOrNone, nodesOf, stopAll } from './group.mjs'
import { startRedis } from './redis.mjs'
import { until } from './until.mjs'

const MASTERS = 3
const SLOTS = 16_384
const READY_MS = 20_000
const WORDS = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '2000']
// Otherwise a node learns its own address from the first one that talks to it.
const ADDRESS = ['--cluster-announce-ip', '127.0.0.1']

/**
 * Starts a cluster and waits until each of its nodes says that all is well.
 *
 * @param kind `valkey9`, or another one that `startRedis` knows
 * @param replicas how many each master has
 * @param args words for the command line of each node
 * @param folder where the nodes work, each in a folder of its own; temporary ones without it
 */
export async function startCluster({ replicas = 0, args = [], folder, ...options } = {}) {
  const starts = Array.from({ length: MASTERS * (1 + replicas) }, (_, at) =>
    startRedis({
      ...options,
      args: [...WORDS, ...ADDRESS, ...args],
      folder: folder && join(folder, `node${at + 1}`),
    }),
  )
  const cluster = new Cluster(await allOrNone(starts))
  try {
    await cluster.unite()
  } catch (error) {
    await cluster.stop()
    throw error
  }
  return cluster
}

class Cluster {
  /** As `RedisServer`s; those that were started as masters come first. */
  nodes

  constructor(nodes) {
    this.nodes = nodes
  }

  get url() {
    const [first, ...others] = this.nodes
    return `redis-cluster://127.0.0.1:${first.port}?${nodesOf(others)}`
  }

  /** The node that now is master of a key's slot, as the first one to answer sees it. */
  async owner(key) {
    return Promise.any(this.nodes.map((node) => this.#ownerSeenBy(node, key)))
  }

  /** Every process that is a part of it. */
  get servers() {
    return this.nodes
  }

  async stop() {
    await stopAll(this.nodes)
  }

  /** Makes one cluster of the nodes, which know nothing of each other at first. */
  async unite() {
    const masters = this.nodes.slice(0, MASTERS)
    await this.#each((node, at) => node.call('CLUSTER', 'SET-CONFIG-EPOCH', at + 1))
    await Promise.all(
      masters.map((node, at) => node.call('CLUSTER', 'ADDSLOTSRANGE', ...range(at))),
    )
    await this.#each((node) => node.call('CLUSTER', 'MEET', '127.0.0.1', masters[0].port))
    await this.#all('all nodes know each other', async (node) => {
      const [, known] = /^cluster_known_nodes:(\d+)/m.exec(await node.call('CLUSTER', 'INFO'))
      return Number(known) === this.nodes.length
    })
    await this.#follow(masters)
    await this.#all('cluster_state is ok', async (node) =>
      /^cluster_state:ok/m.test(await node.call('CLUSTER', 'INFO')),
    )
  }

  async #follow(masters) {
    const names = await Promise.all(masters.map((node) => node.call('CLUSTER', 'MYID')))
    const replicas = this.nodes.slice(MASTERS)
    await Promise.all(
      replicas.map((node, at) => node.call('CLUSTER', 'REPLICATE', names[at % MASTERS])),
    )
    await until('each replica follows its master', READY_MS, async () => {
      const infos = await Promise.all(replicas.map((node) => node.info('replication')))
      return infos.every((info) => info.master_link_status === 'up')
    })
  }

  async #ownerSeenBy(node, key) {
    const slot = await node.call('CLUSTER', 'KEYSLOT', key)
    const ranges = await node.call('CLUSTER', 'SLOTS')
    const [, , [, port]] = ranges.find(([start, end]) => start <= slot && slot <= end)
    return this.nodes.find((each) => each.port === Number(port))
  }

  #each(work) {
    return Promise.all(this.nodes.map(work))
  }

  #all(what, condition) {
    return until(what, READY_MS, async () => (await this.#each(condition)).every(Boolean))
  }
}

/** The slots of one master, first and last. */
function range(at) {
  const start = (share) => Math.floor((share * SLOTS) / MASTERS)
  return [start(at), start(at + 1) - 1]
}
