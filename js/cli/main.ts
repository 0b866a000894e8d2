// From a command line to an exit code.

import { manifest } from '../manifest.js'
import { hint } from '../nearest.js'
import { Words } from './arguments.js'
import { type Command, DONE, FAILED, flagsOf, NOT_UNDERSTOOD } from './command.js'
import { decode } from './decode.js'
import { doctor } from './doctor.js'
import { FLAGS } from './flags.js'
import { floor } from './floor.js'
import { helpOf, helpOfAll, line } from './help.js'
import { inspect } from './inspect.js'
import { machines } from './machines.js'
import { next } from './next.js'
import { isReaderGone, outliveReaders, print, say } from './output.js'
import { UsageError } from './usage.js'

const COMMANDS: readonly Command[] = [next, inspect, floor, decode, machines, doctor]

/** Runs a command line, and tells how it went. */
export async function main(args: string[]): Promise<number> {
  outliveReaders()
  const words = new Words(args)
  try {
    return await follow(words)
  } catch (error) {
    // Whoever read has what it wanted.
    if (isReaderGone(error)) return DONE
    say(words.has('json') ? asJson(error) : asText(error, words))
    return error instanceof UsageError ? NOT_UNDERSTOOD : FAILED
  }
}

async function follow(words: Words): Promise<number> {
  const [name, ...places] = words.places
  const command = COMMANDS.find((each) => each.name === name)
  if (command === undefined) {
    await withoutCommand(words, name)
    return DONE
  }
  if (words.has('help')) {
    await print(helpOf(command))
    return DONE
  }
  const flags = words.flags(flagsOf(command))
  checkPlaces(command, places)
  return await command.run({ places, flags })
}

async function withoutCommand(words: Words, name: string | undefined): Promise<void> {
  if (name === undefined && words.has('help')) return await print(helpOfAll(COMMANDS))
  // A flag that is wrong comes first: `mintid --stroe x` has no command x.
  const flags = words.flags(FLAGS.map((flag) => flag.name))
  if (name !== undefined) throw unknown(name)
  if (!flags.has('version')) throw new UsageError(`a command is missing: ${names().join(', ')}`)
  await print(`${manifest.version}\n`)
}

function checkPlaces(command: Command, given: readonly string[]): void {
  const missing = command.places.slice(given.length).filter((place) => !place.startsWith('['))
  const extra = given[command.places.length]
  if (missing.length > 0) {
    const verb = missing.length > 1 ? 'are' : 'is'
    throw new UsageError(`${missing.join(' and ')} ${verb} missing: mintid ${line(command)}`)
  }
  if (extra !== undefined) {
    throw new UsageError(`${JSON.stringify(extra)} is too much: mintid ${line(command)}`)
  }
}

function unknown(name: string): UsageError {
  return new UsageError(`there is no command ${JSON.stringify(name)}: ${hint(name, names())}`)
}

const names = () => COMMANDS.map(({ name }) => name)

function asText(error: unknown, words: Words): string {
  const { code, message, stack } = error as { code?: string; message: string; stack?: string }
  if (error instanceof UsageError) {
    const command = names().find((name) => name === words.places[0])
    return `mintid: ${message}\nSee mintid ${command ? `${command} ` : ''}--help`
  }
  // What has no code is a defect, and its stack says where.
  return code === undefined ? `mintid: ${stack}` : `mintid: ${message} (${code})`
}

function asJson(error: unknown): string {
  const { code, name, message } = error as { code?: string; name: string; message: string }
  return JSON.stringify({ error: { code: code ?? name, message } })
}
