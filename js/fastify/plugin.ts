// The plugin: a store for an application, which is closed with it.

import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { MintIdPluginOptions } from '../../fastify.js'
import type { IdsOptions, Ids as PublicIds, RangeStore } from '../../index.js'
import { CLOSE_LIMIT_MS, isClosedInTime } from '../http/close.js'
import { checkNamed, hasMethods, invalid } from '../http/options.js'
import { createIds } from '../index.js'

const CHECKS = {
  ids: { isValid: hasMethods('segment', 'close'), expected: 'expected what createIds gives' },
  store: {
    isValid: (value: unknown) => typeof value === 'string' || typeof value === 'object',
    expected: 'expected a URL, or a store of your own',
  },
  generators: {
    isValid: (value: unknown) => typeof value === 'function',
    expected: 'expected a function from ids to generators by name',
  },
}

async function plugin(fastify: FastifyInstance, options: MintIdPluginOptions): Promise<void> {
  const { ids: given, store, generators, rest } = partsOf(options)
  checkNamed({ ids: given, store, generators }, CHECKS)
  if (given !== undefined) refuseBesideIds({ store, ...rest })
  const ids = given ?? makeIds(fastify, store, rest)
  fastify.decorate('ids', ids)
  for (const [name, generator] of Object.entries(generators?.(ids) ?? {})) {
    fastify.decorate(name, generator)
  }
}

/** The options that are ours, apart from those that Fastify takes of every plugin. */
function partsOf(options: MintIdPluginOptions) {
  const { ids, store, generators, ...others } = options
  const { prefix, logLevel, logSerializers, ...rest } = others as Record<string, unknown>
  return { ids, store, generators, rest: rest as IdsOptions }
}

function refuseBesideIds(others: object): void {
  for (const [name, value] of Object.entries(others)) {
    if (value !== undefined) throw invalid(name, value, 'ids is given, and has been made already')
  }
}

/** What is made here is closed here, after the last request was answered. */
function makeIds(
  fastify: FastifyInstance,
  store: string | RangeStore | undefined,
  options: IdsOptions,
): PublicIds {
  const ids = createIds(store, { logger: fastify.log, ...options }) as PublicIds
  fastify.addHook('onClose', () => close(ids, fastify.log))
  return ids
}

async function close(ids: PublicIds, log: FastifyBaseLogger): Promise<void> {
  if (await isClosedInTime(ids.close())) return
  log.warn(`mintid: ${ids.store} did not close within ${CLOSE_LIMIT_MS} ms`)
}

/**
 * What Fastify reads of a plugin, as the package fastify-plugin writes it: decorations are for the
 * whole application, and a Fastify of another major version refuses the plugin. That package would
 * be the only one that mintid depends on.
 */
export const mintid = Object.assign(plugin, {
  [Symbol.for('skip-override')]: true,
  [Symbol.for('fastify.display-name')]: 'mintid',
  [Symbol.for('plugin-meta')]: { name: 'mintid', fastify: '5.x' },
})
