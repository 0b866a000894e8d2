// What every script does with its options: read them, and refuse by name what it cannot use.

import { parseArgs } from 'node:util'

/** An option that cannot be used; the message names it. */
export class BadOption extends Error {}

/** The values of flags and texts, as `parseArgs` describes them. */
export function readArguments(args, options) {
  return readWords(args, options, false).values
}

/** The same as `values`, with the words beside them as `positionals`. */
export function readWords(args, options, allowPositionals = true) {
  try {
    return parseArgs({ args, options, allowPositionals })
  } catch (error) {
    // The rest is advice on quoting.
    throw new BadOption(error.message.split('\n')[0])
  }
}

/** A text as a whole number. */
export function wholeNumber(name, text, { least, most }) {
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (number >= least && number <= most) return number
  throw new BadOption(`--${name} is '${text}': a whole number from ${least} to ${most} is due`)
}

/** What `read` makes of a script's options; a bad one is told, and the script ends with 2. */
export function optionsOf(script, read) {
  try {
    return read(process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof BadOption)) throw error
    process.stderr.write(`${script}: ${error.message}\n`)
    process.exitCode = 2
  }
}
