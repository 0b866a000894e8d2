// The routes. Ids are bigint inside and text outside: `parse` lets them in, the JSON replacer out.

import express from 'express'
import { MintIdError } from 'mintid'

export function createApp(ids) {
  const orders = ids.segment('orders')
  const saved = new Map()
  const app = express()
  app.set('json replacer', (_key, value) => (typeof value === 'bigint' ? String(value) : value))
  app.use(express.json())

  app.post('/orders', async (req, res) => {
    const order = { id: await orders.next({ timeoutMs: 1000 }), item: req.body?.item }
    saved.set(order.id, order)
    res.status(201).location(`/orders/${order.id}`).json(order)
  })

  // The id is optional for the router, so that an empty one is refused as every other bad one is.
  app.get('/orders/{:id}', (req, res) => {
    const order = saved.get(orders.id(req.params.id ?? ''))
    if (order === undefined) res.status(404).json({ error: 'no such order' })
    else res.json(order)
  })

  app.get('/healthz', (_req, res) => {
    const health = ids.health()
    res.status(health.ok ? 200 : 503).json(health)
  })

  app.use(answerFailure)
  return app
}

/** What is no id is the client's fault; a store that is away is nobody's, and may be back soon. */
function answerFailure(error, _req, res, next) {
  if (!(error instanceof MintIdError)) return next(error)
  const { code, message, retryable } = error
  if (code === 'ERR_MINTID_ID_INVALID') return res.status(400).json({ code, error: message })
  res.status(retryable ? 503 : 500).json({ code, error: 'no id can be had' })
}
