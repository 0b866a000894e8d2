// Plain JavaScript, as an ES module.

import { createIds } from 'mintid'

const minted = {}
for (const [store, url] of Object.entries({ memory: 'memory:', sqlite: process.argv[2] })) {
  const ids = createIds(url)
  const orders = ids.segment('orders')
  minted[store] = [await orders.next(), ...(await orders.nextBatch(3))].map(String)
  await ids.close()
}
console.log(JSON.stringify(minted))
