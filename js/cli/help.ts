// The texts of `--help`, made of the tables of commands and flags.

import { type Command, flagsOf } from './command.js'
import { ALONE, FLAGS, type Flag, type FlagName, spelled } from './flags.js'

const WIDTH = 80

export function helpOfAll(commands: readonly Command[]): string {
  const rows = commands.map((command): [string, string] => [line(command), command.summary])
  return `usage: mintid COMMAND [OPTION…]

Mints ids from a store, and looks after its counters.

${columns(rows)}
${columns(flagRows(ALONE))}
mintid COMMAND --help has the options of a command.
Exit codes: 0 done, 1 failed, 2 the command line cannot be followed.
`
}

export function helpOf(command: Command): string {
  return `usage: mintid ${line(command)} [OPTION…]

${wrapped(command.about, WIDTH).join('\n')}

${columns(flagRows(flagsOf(command)))}`
}

/** A command as it is written, with its places. */
export const line = ({ name, places }: Command) => [name, ...places].join(' ')

function flagRows(names: readonly FlagName[]): [string, string][] {
  const flags = names.map((name) => FLAGS.find((flag) => flag.name === name) as Flag)
  return flags.map((flag) => [
    flag.value === undefined ? spelled(flag) : `${spelled(flag)} ${flag.value}`,
    flag.doc,
  ])
}

/** Two columns, the right one wrapped. */
function columns(rows: [string, string][]): string {
  const left = Math.max(...rows.map(([name]) => name.length)) + 4
  return rows
    .flatMap(([name, doc]) =>
      wrapped(doc, WIDTH - left).map((text, i) => {
        return `${(i === 0 ? `  ${name}` : '').padEnd(left)}${text}\n`
      }),
    )
    .join('')
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = lines.length > 0 ? `${lines.at(-1)} ${word}` : word
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}
