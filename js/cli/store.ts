// The store that a command works on.

import type { Ids } from '../index.js'
import { type Given, textOf } from './arguments.js'
import { optionsOf } from './options.js'
import { typed, UsageError } from './usage.js'

/** Opens the store for the time of `work`. */
export async function withStore<T>(given: Given, work: (ids: Ids) => Promise<T>): Promise<T> {
  const url = textOf(given, 'store') ?? process.env.MINTID_URL
  const options = optionsOf(given)
  if (url === undefined || url === '') {
    throw new UsageError('no store is given: use --store URL, or set MINTID_URL')
  }
  // At first use, so that help is there where the addon cannot be loaded.
  const { createIds } = await import('../index.js')
  const ids = typed(() => createIds(url, options))
  try {
    return await work(ids)
  } finally {
    await ids.close()
  }
}

/** What the store remembers the counter `name` under. */
export function keyOf(given: Given, name: string): string {
  const namespace = textOf(given, 'namespace')
  return namespace === undefined ? name : `${namespace}/${name}`
}
