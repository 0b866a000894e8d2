// The types of `mintid/express`. Compiled, never run.

import express, { type ErrorRequestHandler, type RequestHandler } from 'express'
import { createIds, type Id, KvId } from 'mintid'
import {
  errorHandler,
  type IdParam,
  idParam,
  type JsonReplacer,
  jsonReplacer,
  jsonReplacerAfter,
  requestId,
} from 'mintid/express'
import { is } from './support/types.js'

const ids = createIds('memory:')
const [orders, bills] = [ids.segment('orders'), ids.segment('bills')] as const

export function requests(): void {
  const app = express()
  is<RequestHandler>()(requestId({ generator: orders }))
  app.use(requestId({ generator: ids.snowflake('requests'), header: 'X-Id', property: 'rid' }))
  app.use(requestId({ generator: new KvId('requests'), setHeader: false, accept: undefined }))
  app.use(requestId({ generator: orders, accept: (id) => id.length === 36 }))
  // @ts-expect-error: ids come from somewhere
  requestId({})
  // @ts-expect-error: an unknown option
  requestId({ generator: orders, headre: 'X-Id' })
  // @ts-expect-error: a store is no generator
  requestId({ generator: ids })
  // @ts-expect-error: a function says what is accepted
  requestId({ generator: orders, accept: /x/ })
}

export function params(): void {
  const app = express()
  const orderId = idParam(orders)
  is<IdParam<'orders'>>()(orderId)
  const eventId = idParam(ids.snowflake('events'))
  is<IdParam<'events'>>()(eventId)
  const userId = idParam(new KvId('users'))
  is<IdParam<'users'>>()(userId)
  app.param('id', orderId)
  express.Router().param('id', orderId)
  app.get('/orders/:id', (req, res) => {
    const id: Id<'orders'> = orderId.of(req)
    // @ts-expect-error: the id of another generator
    const bill: Id<'bills'> = orderId.of(req)
    // @ts-expect-error: parameters themselves are text
    const param: bigint = req.params.id
    res.json([id, bill, param])
  })
  app.get<{ id: string }, object, object, { after: number }>('/lines/:id', (req) => {
    is<Id<'orders'>>()(orderId.of(req))
  })
  is<Id<'bills'>>()(idParam(bills).of({} as express.Request))
  // @ts-expect-error: a name is no generator
  idParam('orders')
  // @ts-expect-error: an id is found in a request
  orderId.of('12')
}

export function answers(): void {
  const app = express()
  app.set('json replacer', jsonReplacer)
  is<JsonReplacer>()(jsonReplacerAfter((key, value) => (key === 'secret' ? undefined : value)))
  JSON.stringify({ id: 1n }, jsonReplacer)
  is<ErrorRequestHandler>()(errorHandler())
  app.use(errorHandler())
  // @ts-expect-error: a list of names is no function
  jsonReplacerAfter(['id'])
  // @ts-expect-error: it has no options
  errorHandler({ status: 500 })
}
