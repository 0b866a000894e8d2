// Starts the service, and ends it in order.
//
//   node index.mjs            with PORT (3000) and MINTID_URL (sqlite:orders.db) from outside

import { createApp } from './app.mjs'

const { PORT = '3000', MINTID_URL = 'sqlite:orders.db' } = process.env

const app = await createApp(MINTID_URL, { logger: { level: 'warn' } })
const address = await app.listen({ port: Number(PORT) })
console.log(`listening on port ${new URL(address).port}`)

// Requests under way are answered, then the plugin closes the ids. A second signal ends it at once.
for (const signal of ['SIGTERM', 'SIGINT']) process.once(signal, () => app.close())
