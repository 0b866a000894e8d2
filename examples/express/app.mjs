// The routes. Ids are bigint inside and text outside.

import express from 'express'
import { errorHandler, idParam, jsonReplacer, requestId } from 'mintid/express'

/** A store that is away is told to clients soon, and holds up an orderly end for no longer. */
const PATIENCE = { reserveTimeout: 1000 }

/** `firstStart` is for the very first deployment on a new Redis. */
export function createApp(ids, { firstStart = false } = {}) {
  const orders = ids.segment('orders', PATIENCE)
  const events = ids.snowflake('events', { ...PATIENCE, firstStart })
  const orderId = idParam(orders)
  const saved = new Map()
  const app = express()
  app.set('json replacer', jsonReplacer)

  // First, since it has to be answered without an id.
  app.get('/healthz', (_req, res) => {
    const health = ids.health()
    res.status(health.ok ? 200 : 503).json(health)
  })

  app.use(requestId({ generator: ids.segment('requests', PATIENCE) }))
  app.use(express.json())
  app.param('id', orderId)

  app.post('/orders', async (req, res) => {
    const order = { id: await orders.next(), item: req.body?.item }
    saved.set(order.id, order)
    res.status(201).location(`/orders/${order.id}`).json(order)
  })

  // The id is optional for the router, so that an empty one is refused as every other bad one is.
  app.get('/orders/{:id}', (req, res) => {
    const order = saved.get(orderId.of(req))
    if (order === undefined) res.status(404).json({ error: 'no such order' })
    else res.json(order)
  })

  app.post('/events', async (_req, res) => {
    const id = await events.next()
    res.status(201).json({ id, at: events.parse(id).timestamp })
  })

  app.use(errorHandler())
  return app
}
