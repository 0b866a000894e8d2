// Numbers of tickets from one file, for as many processes as there are desks.
//
//   node examples/segments/index.mjs tickets.db          run it twice, or in two terminals at once

import { createIds } from 'mintid'

const [, , file = 'tickets.db'] = process.argv

const ids = createIds(`sqlite:${file}`)
const tickets = ids.segment('tickets', { step: 20 })

// One by one: from memory, but for the first.
for (let i = 0; i < 3; i++) console.log('ticket', await tickets.next())

// Many at once, in growing order.
const batch = await tickets.nextBatch(5)
console.log('batch', batch.join(' '))

// One run without a gap, for rows that are loaded in bulk. `end` is one past the last id.
const { start, end } = await tickets.nextRange(1000)
console.log('range', start, 'to', end - 1n)

const { reserved, issued } = tickets.stats()
await ids.close()
console.log('given up', reserved - issued)
