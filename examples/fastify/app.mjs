// The routes. Schemas say what an id is, on its way in and out.

import Fastify from 'fastify'
import { idJsonSchema } from 'mintid'
import mintid, { errorHandler } from 'mintid/fastify'

const ORDER = {
  type: 'object',
  properties: { id: idJsonSchema, item: { type: 'string' } },
}
const WITH_ID = { type: 'object', properties: { id: idJsonSchema } }

/** `store` is a URL; `options` are those of Fastify. */
export async function createApp(store, options) {
  const saved = new Map()
  const app = Fastify(options)
  app.setErrorHandler(errorHandler)
  await app.register(mintid, {
    store,
    generators: (ids) => ({ orders: ids.segment('orders', { reserveTimeout: 1000 }) }),
  })
  // A store that can never work ends the start, and not the first request.
  app.addHook('onReady', () => app.ids.ready())
  // A connection on which a request was under way would hold the end up.
  app.addHook('onSend', async (_request, reply) => {
    if (!app.server.listening) reply.header('connection', 'close')
  })

  app.post(
    '/orders',
    { schema: { body: ORDER, response: { 201: ORDER } } },
    async (request, reply) => {
      const order = { id: await app.orders.next(), item: request.body.item }
      saved.set(order.id, order)
      reply.code(201).header('location', `/orders/${order.id}`)
      return order
    },
  )

  app.get(
    '/orders/:id',
    { schema: { params: WITH_ID, response: { 200: ORDER } } },
    async (request, reply) => {
      const order = saved.get(app.orders.id(request.params.id))
      return order ?? reply.code(404).send({ error: 'no such order' })
    },
  )

  app.get('/healthz', async (_request, reply) => {
    const health = app.ids.health()
    return reply.code(health.ok ? 200 : 503).send(health)
  })

  return app
}
