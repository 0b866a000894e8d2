// Starts the service, and ends it in order: requests under way are answered, then the ids are closed.
//
//   node index.mjs [STORE]          with PORT (3000) and MINTID_URL (sqlite:orders.db) from outside

import { once } from 'node:events'
import { createIds } from 'mintid'
import { createApp } from './app.mjs'

const { PORT = '3000', MINTID_URL = 'sqlite:orders.db' } = process.env
const [, , store = MINTID_URL] = process.argv
/** Clients that keep their connections busy for longer are cut off. */
const PATIENCE_MS = 5000

const ids = createIds(store)
ids.on('refillFailed', ({ key, message }) => console.error(`no ids for ${key}: ${message}`))
ids.on('storeWentBack', ({ message }) => console.error(message))
// A store that can never work ends the start, and not the first request.
await ids.ready()

const server = createApp(ids).listen(Number(PORT))
await once(server, 'listening')
console.log(`listening on port ${server.address().port}`)

process.once('SIGTERM', async () => {
  setTimeout(() => server.closeAllConnections(), PATIENCE_MS).unref()
  server.close()
  await once(server, 'close')
  // Nothing is left to do then, and the process ends by itself.
  await ids.close()
})
