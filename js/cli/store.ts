// The store that a command works on.

import type { Ids } from '../index.js'
import type { Given } from './arguments.js'
import { typed, UsageError } from './usage.js'

/** Opens the store for the time of `work`. */
export async function withStore(given: Given, work: (ids: Ids) => Promise<void>): Promise<void> {
  const url = textOf(given, 'store') ?? process.env.MINTID_URL
  if (url === undefined || url === '') {
    throw new UsageError('no store is given: use --store URL, or set MINTID_URL')
  }
  // At first use, so that help is there where the addon cannot be loaded.
  const { createIds } = await import('../index.js')
  const ids = typed(() => createIds(url, { namespace: textOf(given, 'namespace') }))
  try {
    await work(ids)
  } finally {
    await ids.close()
  }
}

/** What the store remembers the counter `name` under. */
export function keyOf(given: Given, name: string): string {
  const namespace = textOf(given, 'namespace')
  return namespace === undefined ? name : `${namespace}/${name}`
}

function textOf({ flags }: Given, name: 'store' | 'namespace'): string | undefined {
  return flags.get(name) as string | undefined
}
