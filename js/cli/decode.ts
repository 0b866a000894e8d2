// `mintid decode`: what a Snowflake id was made of.

import type { LayoutOptions, SnowflakeOptions } from '../../index.js'
import { type Given, textOf } from './arguments.js'
import { type Command, DONE } from './command.js'
import { print, printJson } from './output.js'
import { typed, UsageError } from './usage.js'

export const decode: Command = {
  name: 'decode',
  places: ['ID'],
  flags: ['layout'],
  isAlone: true,
  summary: 'says what a Snowflake id was made of',
  about:
    'Prints the time, the machine number and the sequence number that a Snowflake id holds. No ' +
    'store is needed. Another layout than the default one has to be told.',
  run,
}

async function run(given: Given): Promise<number> {
  const id = given.places[0] as string
  const layout = layoutOf(given)
  const { createIds } = await import('../index.js')
  const ids = createIds('memory:')
  try {
    const { timestamp, machine, sequence } = typed(() =>
      ids.snowflake('snowflake', { layout }),
    ).parse(id)
    const time = timestamp.toISOString()
    await (given.flags.has('json')
      ? printJson({ id, timestamp: time, machine, sequence })
      : print(`time      ${time}\nmachine   ${machine}\nsequence  ${sequence}\n`))
  } finally {
    await ids.close()
  }
  return DONE
}

/** In one word, as messages have it: an object cannot be typed. */
function layoutOf(given: Given): SnowflakeOptions['layout'] {
  const text = textOf(given, 'layout')
  if (text === undefined || text === 'jsSafe') return text
  const [, time, machine, sequence, unit, epoch] =
    /^(\d+)\/(\d+)\/(\d+)(?:\/(ms|s)(?:\/(\d+))?)?$/.exec(text) ?? []
  if (time === undefined) {
    const expected = 'expected jsSafe, or bits and perhaps unit and epoch, as in 41/10/12/ms/0'
    throw new UsageError(`--layout = ${JSON.stringify(text)}: ${expected}`)
  }
  return {
    timestampBits: Number(time),
    machineBits: Number(machine),
    sequenceBits: Number(sequence),
    unit: unit as LayoutOptions['unit'],
    epoch: epoch === undefined ? undefined : Number(epoch),
  }
}
