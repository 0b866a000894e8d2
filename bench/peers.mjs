// `npm run bench:peers`: mintid's Snowflake ids beside those of other packages, with the number of
// ids that came twice beside each speed.
//
// Each mints as its own page tells a newcomer to: one process in a plain loop, and four processes
// that start together with the same configuration.

import { fork } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { connect } from 'mintid'
import { startRedis } from '../scripts/servers/redis.mjs'
import { isMain, main, ROOT, run, step } from '../scripts/steps.mjs'

const FILE = fileURLToPath(import.meta.url)
const HERE = 'bench/peers'
const LOOP = 1_000_000
const PROCESSES = 4
const EACH = 200_000

const peers = createRequire(join(ROOT, HERE, 'package.json'))
/** A peer, from the folder that it is installed in. */
const peer = (name) => import(pathToFileURL(peers.resolve(name)))

const bufferToId = (buffer) => buffer.readBigUInt64BE()

/** How each is made, and how it gives an id: a function of its own, awaited where it promises. */
const PEERS = {
  mintid: async (url) => {
    const ids = await connect(url)
    const events = ids.snowflake('events', { firstStart: true })
    await events.ready()
    return { next: () => events.next(), close: () => ids.close() }
  },
  '@sapphire/snowflake': async () => {
    const { Snowflake } = await peer('@sapphire/snowflake')
    const snowflake = new Snowflake(new Date('2020-01-01T00:00:00.000Z'))
    return { next: () => snowflake.generate() }
  },
  'nodejs-snowflake': async () => {
    const { Snowflake } = await peer('nodejs-snowflake')
    const snowflake = new Snowflake()
    return { next: () => snowflake.getUniqueID() }
  },
  'flake-idgen': async () => {
    const { default: FlakeId } = await peer('flake-idgen')
    const flake = new FlakeId()
    // It throws when a millisecond is used up, and its page says to wait for a callback.
    const next = () =>
      new Promise((resolve, reject) =>
        flake.next((error, id) => (error ? reject(error) : resolve(bufferToId(id)))),
      )
    return { next }
  },
  snowflakify: async () => {
    const { default: module } = await peer('snowflakify')
    const Snowflakify = module.Snowflakify ?? module.default ?? module
    const snowflake = new Snowflakify()
    return { next: () => snowflake.nextId() }
  },
}

async function mint({ name, url, count }) {
  const { next, close } = await PEERS[name](url)
  const ids = new BigUint64Array(count)
  for (let i = 0; i < 10_000; i++) await next()
  const started = performance.now()
  for (let i = 0; i < count; i++) ids[i] = BigInt.asUintN(64, await next())
  const ms = performance.now() - started
  await close?.()
  return { ids, ms }
}

function repeated(ids) {
  ids.sort()
  let twice = 0
  for (let i = 1; i < ids.length; i++) if (ids[i] === ids[i - 1]) twice++
  return twice
}

/** What a process of its own minted. */
function inProcess(task) {
  return new Promise((resolve, reject) => {
    const child = fork(FILE, [JSON.stringify(task)], { serialization: 'advanced' })
    child.once('message', resolve)
    child.once('error', reject)
    child.once('exit', (code) => code && reject(new Error(`${task.name}: exit ${code}`)))
  })
}

async function measure(name, url) {
  const loop = await inProcess({ name, url, count: LOOP })
  const together = await Promise.all(
    Array.from({ length: PROCESSES }, () => inProcess({ name, url, count: EACH })),
  )
  const all = new BigUint64Array(PROCESSES * EACH)
  for (const [at, { ids }] of together.entries()) all.set(ids, at * EACH)
  return {
    name,
    perSecond: Math.round((LOOP / loop.ms) * 1_000),
    inALoop: repeated(loop.ids),
    inProcesses: repeated(all),
  }
}

async function compare() {
  if (!existsSync(join(ROOT, HERE, 'node_modules'))) {
    const words = ['ci', '--prefix', HERE, '--ignore-scripts', '--loglevel=error']
    await step('install the peers', () => run('npm', words, { quiet: true }))
  }
  const server = await startRedis({ kind: 'valkey9' })
  const rows = []
  try {
    for (const name of Object.keys(PEERS)) {
      rows.push(await step(name, () => measure(name, server.url)))
    }
  } finally {
    await server.stop()
  }
  const line = (cells) =>
    `${cells[0].padEnd(22)}${cells
      .slice(1)
      .map((it) => it.padStart(24))
      .join('')}\n`
  const text = (number) => number.toLocaleString('en-US')
  process.stdout.write(line(['', 'awaited ids/s', 'twice, in one loop', 'twice, in 4 processes']))
  for (const row of rows) {
    const cells = [row.perSecond, row.inALoop, row.inProcesses].map(text)
    process.stdout.write(line([row.name, ...cells]))
  }
}

if (process.send !== undefined) {
  process.send(await mint(JSON.parse(process.argv[2])), () => process.disconnect())
} else if (isMain(import.meta.url)) {
  await main(compare)
}
