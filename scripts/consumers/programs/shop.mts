// TypeScript, as an ES module. Types of its own for what it takes from Node: some consumers have no
// `@types/node`.

import { createIds, type Id, type IdRange, type Ids, type SegmentGenerator } from 'mintid'

declare const process: { argv: string[] }
declare const console: { log(text: string): void }

export interface Order {
  id: Id<'orders'>
}

export const openShop = (url: string | undefined): Ids => createIds(url)

/** Without a type of its own, so that the compiler has to name what the package gives. */
export const ordersOf = (ids: Ids) => ids.segment('orders', { policy: 'fixed', step: 100 })

async function mint(url: string | undefined): Promise<string[]> {
  const ids = openShop(url)
  const orders: SegmentGenerator<'orders'> = ordersOf(ids)
  const order: Order = { id: await orders.next() }
  const asBigint: bigint = order.id
  const minted: bigint[] = [asBigint]
  for (const id of await orders.nextBatch(3)) minted.push(id)
  const { start, end }: IdRange<'orders'> = await orders.nextRange(10)
  if (end - start !== 10n) throw new Error(`the range is ${start} to ${end}`)
  await ids.close()
  return minted.map(String)
}

console.log(JSON.stringify({ memory: await mint('memory:'), sqlite: await mint(process.argv[2]) }))
