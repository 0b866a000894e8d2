// TypeScript, as CommonJS: what shop.mts does, by `import = require`, which every compiler option
// allows.

import mintid = require('mintid')

declare const process: { argv: string[] }
declare const console: { log(text: string): void }

interface Order {
  id: mintid.Id<'orders'>
}

const openShop = (url: string | undefined): mintid.Ids => mintid.createIds(url)

/** Without a type of its own, so that the compiler has to name what the package gives. */
const ordersOf = (ids: mintid.Ids) => ids.segment('orders', { policy: 'fixed', step: 100 })

async function mint(url: string | undefined): Promise<string[]> {
  const ids = openShop(url)
  const orders: mintid.SegmentGenerator<'orders'> = ordersOf(ids)
  const order: Order = { id: await orders.next() }
  const asBigint: bigint = order.id
  const minted: bigint[] = [asBigint]
  for (const id of await orders.nextBatch(3)) minted.push(id)
  const { start, end }: mintid.IdRange<'orders'> = await orders.nextRange(10)
  if (end - start !== 10n) throw new Error(`the range is ${start} to ${end}`)
  await ids.close()
  return minted.map(String)
}

async function main(): Promise<void> {
  console.log(
    JSON.stringify({ memory: await mint('memory:'), sqlite: await mint(process.argv[2]) }),
  )
}

main()

export = { openShop, ordersOf }
