// Starts the service, and ends it in order: requests under way are answered, then the ids are closed.
//
//   node index.mjs [STORE]    with PORT (3000), MINTID_URL (sqlite:orders.db) and FIRST_START from outside

import { once } from 'node:events'
import { createIds } from 'mintid'
import { createApp } from './app.mjs'

const { PORT = '3000', MINTID_URL = 'sqlite:orders.db', FIRST_START } = process.env
const [, , store = MINTID_URL] = process.argv
/** Clients that keep their connections busy for longer are cut off. */
const PATIENCE_MS = 2000
/** How often connections are looked for that have become idle. */
const SWEEP_MS = 50

const ids = createIds(store)
ids.on('refillFailed', ({ key, message }) => console.error(`no ids for ${key}: ${message}`))
ids.on('storeWentBack', ({ message }) => console.error(message))
ids.on('leaseLost', ({ message }) => console.error(message))
// A store that can never work ends the start, and not the first request.
await ids.ready()

const server = createApp(ids, { firstStart: FIRST_START === 'true' }).listen(Number(PORT))
await once(server, 'listening')
console.log(`listening on port ${server.address().port}`)
// Whoever started this process and waits for it: pm2 does, with `wait_ready`.
process.send?.('ready')

// Once: a second signal ends the process as if nobody listened.
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, end)

async function end() {
  await closeServer()
  // Last, since the requests needed it. From here on the machine number is another's to take.
  await ids.close()
  // Nothing is left to do then but to wait for whoever started this process: it ends by itself.
  if (process.connected) process.disconnect()
}

/** Takes no new connections, and ends each of those there are as soon as it is idle. */
async function closeServer() {
  const closed = once(server, 'close')
  server.close()
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  const cutOff = setTimeout(() => server.closeAllConnections(), PATIENCE_MS)
  await closed
  clearInterval(sweep)
  clearTimeout(cutOff)
}
