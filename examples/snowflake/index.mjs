// Readings of a sensor under ids that hold the time, for as many processes as there are sensors.
//
//   node examples/snowflake/index.mjs readings.db        run it twice, or in two terminals at once

import { createIds } from 'mintid'

const [, , file = 'readings.db'] = process.argv

const ids = createIds(`sqlite:${file}`)
const readings = ids.snowflake('readings')

// The machine number comes from the file: no other process of this host has it.
await readings.ready()
console.log('machine', readings.machine)

// From memory, without a round trip; each id tells when it was made.
const started = Date.now()
const taken = []
for (let i = 0; i < 3; i++) taken.push(await readings.next())
taken.push(...(await readings.nextBatch(5_000)))
for (const id of taken) console.log('reading', String(id))

// All of this run, as a condition on an indexed column.
const [from, to] = [readings.minIdAt(started), readings.maxIdAt(Date.now())]
console.log('between', String(from), String(to))

await ids.close()
