// Plain JavaScript, as CommonJS. Tells where the addon came from, too.

const { createIds } = require('mintid')

async function mint(url) {
  const ids = createIds(url)
  const orders = ids.segment('orders')
  const minted = [await orders.next(), ...(await orders.nextBatch(3))].map(String)
  await ids.close()
  return minted
}

async function main() {
  const minted = { memory: await mint('memory:'), sqlite: await mint(process.argv[2]) }
  const addons = Object.keys(require.cache).filter((file) => file.endsWith('.node'))
  console.log(JSON.stringify({ ...minted, addons }))
}

main()
