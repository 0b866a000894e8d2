// `npm run servers`: starts real servers for whoever wants to try them, and stops them again.

import { optionsOf } from './options.mjs'
import { HELP, parseOptions } from './servers/options.mjs'
import { endWithSignals, Running } from './servers/running.mjs'
import { NAMES, variableOf } from './servers/set.mjs'
import { main, step } from './steps.mjs'

const COMMANDS = { start, stop, status }

const WIDTH = Math.max(...NAMES.map((name) => name.length))
const FORMATS = {
  lines: (urls) => urls.map(([name, url]) => `${name.padEnd(WIDTH)}  ${url}\n`).join(''),
  json: (urls) => `${JSON.stringify(Object.fromEntries(urls))}\n`,
  env: (urls) => urls.map(([name, url]) => `export ${variableOf(name)}='${url}'\n`).join(''),
}

await main(async () => {
  const options = optionsOf('servers', parseOptions)
  if (options === undefined) return
  if (options.help) process.stdout.write(HELP)
  else await COMMANDS[options.command](new Running(options.file), options)
})

async function start(running, { names, format }) {
  endWithSignals()
  const wanted = names.length > 0 ? names : NAMES
  const starts = wanted.map((name) => startUnlessRunning(running, name))
  const outcomes = await Promise.allSettled(starts)
  const { known } = running
  print(
    known,
    wanted.filter((name) => known.get(name)?.isRunning),
    format,
  )
  const failed = outcomes.find(({ status }) => status === 'rejected')
  if (failed) throw failed.reason
}

async function startUnlessRunning(running, name) {
  const known = running.known.get(name)
  if (known?.isRunning) return
  // What is left of one of which a part has ended.
  if (known) await running.stop(name)
  await step(`start ${name}`, () => running.start(name))
}

async function stop(running, { names }) {
  const { known } = running
  for (const name of wantedOf(known, names)) {
    if (known.has(name)) await step(`stop ${name}`, () => running.stop(name))
    else process.stderr.write(`${name} was not started\n`)
  }
}

function status(running, { names, format }) {
  const { known } = running
  const wanted = wantedOf(known, names)
  const isRunning = (name) => known.get(name)?.isRunning
  print(known, wanted.filter(isRunning), format)
  for (const name of wanted.filter((name) => !isRunning(name))) {
    const ended = 'does not run any more: start it again, or stop it'
    process.stderr.write(`${name} ${known.has(name) ? ended : 'was not started'}\n`)
    process.exitCode = 1
  }
}

/** Without names all that were started. */
function wantedOf(known, names) {
  if (names.length > 0) return names
  if (known.size === 0) process.stderr.write('no server was started\n')
  return [...known.keys()]
}

function print(known, names, format) {
  const urls = names.map((name) => [name, known.get(name).url])
  process.stdout.write(FORMATS[format](urls))
}
