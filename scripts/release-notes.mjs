// `npm run release:notes -- VERSION`: prints what the CHANGELOG says of a version, as Markdown.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BadOption, optionsOf, readWords } from './options.mjs'
import { isMain, main, ROOT, StepFailed } from './steps.mjs'

/** Everything between a heading and the next of its level, or the links at the end of the page. */
const END = /^## |^\[[^\]]+\]: /m

/** The section of a version, without its heading. */
export function notesOf(changelog, version) {
  const headings = [...changelog.matchAll(/^## \[([^\]]+)\].*\n/gm)]
  const heading = headings.find(([, name]) => name === version)
  if (heading === undefined) {
    const names = headings.map(([, name]) => name).join(', ')
    throw new StepFailed(`CHANGELOG.md has no section [${version}] (there are: ${names})`)
  }
  const rest = changelog.slice(heading.index + heading[0].length)
  const notes = rest.split(END, 1)[0].trim()
  if (notes === '') throw new StepFailed(`CHANGELOG.md says nothing of ${version}`)
  return `${notes}\n`
}

function readVersion(args) {
  const { positionals } = readWords(args, {})
  if (positionals.length !== 1) throw new BadOption('one version is due, such as 0.1.0')
  return positionals[0]
}

if (isMain(import.meta.url)) {
  await main(() => {
    const version = optionsOf('release-notes', readVersion)
    if (version === undefined) return
    process.stdout.write(notesOf(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'), version))
  })
}
