// `npm run release`: publishes the platform packages, and then the root. CONTRIBUTING.md says how
// a release is made; `.github/workflows/release.yml` is who runs this without --dry-run.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from './folder.mjs'
import { optionsOf, readArguments } from './options.mjs'
import { packAll } from './pack/stage.mjs'
import { PLATFORMS } from './platforms.mjs'
import { npmRegistry } from './publish/npm-registry.mjs'
import { release } from './publish/release.mjs'
import { readTarballs } from './publish/tarballs.mjs'
import { main, ROOT } from './steps.mjs'

const HELP = `Usage: npm run release -- [--dry-run] [--packages FOLDER] [--tag vVERSION] [--provenance]

Publishes every platform package, waits until the registry shows them, and publishes the root.
A second run leaves out what is published.

  --dry-run          check everything and tell the plan; publish nothing
  --packages FOLDER  publish the tarballs of this folder; without it, pack what is in artifacts/
  --tag vVERSION     refuse packages of another version than this git tag's
  --provenance       tell which workflow built the packages; works in a workflow only
`

const FLAGS = {
  'dry-run': { type: 'boolean', default: false },
  packages: { type: 'string' },
  tag: { type: 'string' },
  provenance: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
}

await main(async () => {
  const options = optionsOf('release', (args) => readArguments(args, FLAGS))
  if (options === undefined) return
  if (options.help) return process.stdout.write(HELP)
  const { name } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const packages =
    options.packages === undefined
      ? await packAll(temporaryFolder('release'))
      : await readTarballs(options.packages, name)
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8')
  await release(packages, {
    registry: npmRegistry(),
    checks: { wanted: PLATFORMS, changelog, tag: options.tag },
    dryRun: options['dry-run'],
    provenance: options.provenance,
    say: (line) => process.stdout.write(`${line}\n`),
  })
})
