// The program of an application that loads one package, by its name, and mints an id if it can. Runs
// where it was copied to, beside the packages.

const started = process.hrtime.bigint()
const { createIds } = require(process.argv[2])
const first = createIds?.('memory:').segment('orders').next()
Promise.resolve(first).then(() => {
  console.log(JSON.stringify({ ms: Number(process.hrtime.bigint() - started) / 1e6 }))
})
