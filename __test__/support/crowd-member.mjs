// A process of a crowd: gets ready, goes when it is told to, and stays until it is let go.

import { once } from 'node:events'
import * as mintid from 'mintid'

const hear = async () => (await once(process, 'message'))[0]

process.once('disconnect', () => process.exit(1))
// Who starts it waits for this: what is sent earlier may be lost.
const task = hear()
process.send({})
const { body, data } = await task
const run = new Function(`return (${body})`)()
const go = hear()
process.send({})
await go
const end = hear()
process.send({ result: await run(mintid, data) })
await end
// Without closing anything.
process.exit()
