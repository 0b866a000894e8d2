// Servers that belong together.

/** What all starts give, or the first failure, once those that did start are stopped again. */
export async function allOrNone(starts) {
  const outcomes = await Promise.allSettled(starts)
  const failed = outcomes.find(({ status }) => status === 'rejected')
  const servers = outcomes.flatMap(({ value }) => value ?? [])
  if (failed === undefined) return servers
  await stopAll(servers)
  throw failed.reason
}

export const stopAll = (servers) => Promise.all(servers.map((server) => server.stop()))

/** The part of a URL that names more nodes: `node=127.0.0.1:7002&node=127.0.0.1:7003`. */
export const nodesOf = (servers) => servers.map(({ port }) => `node=127.0.0.1:${port}`).join('&')
