// The options of the benchmark: read, checked, and refused by name.

import { BadOption, readArguments } from '../scripts/options.mjs'

export const help = (names) => `usage: npm run bench [-- OPTION…]

Measures the speed and the memory of mintid against their limits. A figure that misses its limit
is told and changes no exit code; a duplicate id or a measurement that breaks off exits 1.

  --json        print the figures as one JSON object
  --only NAME   one question, may be repeated: ${names.join(' ')}
  --write       write the figures to docs/benchmarks.md
  --no-build    use the addon as it was built last
  --help        this text
`

/** @param names the questions there are */
export function parseOptions(args, names) {
  const { 'no-build': noBuild, only, ...options } = parse(args)
  const unknown = only.filter((name) => !names.includes(name))
  if (unknown.length > 0) {
    throw new BadOption(`no such question: ${unknown.join(' ')} (there are: ${names.join(' ')})`)
  }
  if (options.write && only.length > 0) {
    throw new BadOption('--write with --only would leave half a page: write all of it')
  }
  return { ...options, build: !noBuild, only: only.length > 0 ? only : names }
}

function parse(args) {
  const flag = { type: 'boolean', default: false }
  return readArguments(args, {
    json: flag,
    only: { type: 'string', multiple: true, default: [] },
    write: flag,
    'no-build': flag,
    help: flag,
  })
}
