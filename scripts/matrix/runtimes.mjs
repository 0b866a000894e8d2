// Runtimes, all on one installation, and a Node on musl in a system that has no glibc.

import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { captured } from '../pack/captured.mjs'
import { minting } from '../pack/minting.mjs'
import { PLATFORMS } from '../platforms.mjs'
import { bun, deno, muslRoot, NODE_MAJORS, nodeOf } from '../runtimes.mjs'
import { StepFailed } from '../steps.mjs'
import { install, mintBoth, newApp, PROGRAMS } from './app.mjs'

export async function runtimeRows(context) {
  const app = await newApp(context, 'runtimes')
  const installed = install(app, context)
  const row = (title, command) => ({
    title,
    form: 'ESM and CommonJS',
    check: async () => {
      await installed
      const [program, ...words] = await command()
      const version = (await captured(program, ['--version'])).split('\n')[0]
      return `${await mintBoth(app, context, [program, ...words])}, ${version}`
    },
  })
  return [
    ...NODE_MAJORS.map((major) => row(`Node ${major}`, async () => [await nodeOf(major)])),
    row('Bun', async () => [await bun(), 'run']),
    row('Deno', async () => [await deno(), 'run', '--allow-all']),
    { title: 'Node on musl', form: 'ESM and CommonJS', check: () => onMusl(context) },
  ]
}

/** Puts an application into a system and runs a program of it there; needs no rights but its own. */
const IN_SYSTEM = `
  mount --rbind /proc "$1/proc"
  mount --bind "$2" "$1/app"
  root="$1"
  shift 2
  exec chroot "$root" /usr/bin/node "$@"`

const MANY = 1000
const MINT_MANY = `
  const { createIds } = require('/app/node_modules/mintid')
  createIds('memory:').segment('orders').nextBatch(${MANY}).then((ids) =>
    console.log(new Set(ids).size, Object.keys(require.cache).filter((f) => f.endsWith('.node')).join()))`

async function onMusl(context) {
  const musl = PLATFORMS.find(({ libc, cpu }) => libc === 'musl' && cpu === process.arch)
  const there = context.platforms.find(({ name }) => name === musl.name)
  if (there.tarball === undefined) throw new StepFailed(`${musl.name} was not built`)
  const app = await newApp(context, 'musl')
  await install(app, context, ['--os=linux', `--cpu=${process.arch}`, '--libc=musl'])
  await addTo(app, context.host)
  const command = ['unshare', '-rm', 'sh', '-ec', IN_SYSTEM, 'sh', await muslRoot(), app]
  const mint = minting('/app/ids.db')
  for (const program of PROGRAMS) await mint(`/app/${program}`, app, command)
  const [unshare, ...words] = command
  const told = await captured(unshare, [...words, '--eval', MINT_MANY])
  const due = `${MANY} /app/node_modules/${musl.package}/${musl.file}`
  if (told.trim() !== due) throw new StepFailed(`it told ${told.trim()}, and not ${due}`)
  return `mints, and leaves ${context.host.package} alone`
}

/** The package for glibc too, as in an image that was copied together: it must not be tried. */
async function addTo(app, { package: name, tarball }) {
  const folder = join(app, 'node_modules', name)
  await mkdir(folder)
  await captured('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'])
}
