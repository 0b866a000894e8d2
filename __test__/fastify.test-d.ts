// The types of `mintid/fastify`. Compiled, never run.

import Fastify from 'fastify'
import { createIds, type Id, type Ids, KvId, type SegmentGenerator } from 'mintid'
import mintid, {
  errorHandler,
  genReqId,
  idsAsText,
  type MintIdPlugin,
  type MintIdPluginOptions,
  mintid as named,
} from 'mintid/fastify'
import { is } from './support/types.js'

declare module 'fastify' {
  interface FastifyInstance {
    orders: SegmentGenerator<'orders'>
  }
}

const ids = createIds('memory:')

export async function plugin(): Promise<void> {
  const app = Fastify()
  is<MintIdPlugin>()(mintid)
  is<MintIdPlugin>()(named)
  await app.register(mintid, { store: 'memory:', namespace: 'shop', allowCreate: false })
  await app.register(mintid, { store: { reserve: () => ({ start: 1n, end: 2n }) } })
  await app.register(mintid, { ids, generators: (given) => ({ orders: given.segment('orders') }) })
  await app.register(mintid)
  is<Ids>()(app.ids)
  is<Id<'orders'>>()(await app.orders.next())
  const kept: MintIdPluginOptions = { store: undefined, logger: undefined }
  await app.register(mintid, kept)

  // @ts-expect-error: the id of another generator
  const bill: Id<'bills'> = await app.orders.next()
  is<Id<'bills'>>()(bill)
  // @ts-expect-error: an unknown option
  await app.register(mintid, { store: 'memory:', nameSpace: 'shop' })
  // @ts-expect-error: a store is made, or it is there
  await app.register(mintid, { ids, store: 'memory:' })
  // @ts-expect-error: generators are made of ids
  await app.register(mintid, { ids, generators: { orders: ids.segment('orders') } })
}

export function server(): void {
  const requests = ids.snowflake('requests')
  const app = Fastify({ genReqId: genReqId(requests) })
  Fastify({ genReqId: genReqId(new KvId('requests'), { header: 'X-Request-Id' }) })
  Fastify({ http2: true, genReqId: genReqId(ids.segment('requests'), { accept: undefined }) })
  app.setErrorHandler(errorHandler)
  app.addHook('preSerialization', idsAsText)
  // @ts-expect-error: a store is no generator
  genReqId(ids)
  // @ts-expect-error: an unknown option
  genReqId(requests, { headr: 'X-Request-Id' })
  // @ts-expect-error: it answers failures, and takes no options
  app.setErrorHandler(errorHandler({}))
}
