// Bundlers, by the settings that docs/installation.md gives.

import { mkdir, readdir, rename } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { StepFailed } from '../steps.mjs'
import { install, newApp } from './app.mjs'

export function bundlerRows(context) {
  const row = (title, form, check) => ({
    title,
    form,
    check: async () => {
      const app = await newApp(context, `${title}-${form}`.replace(/\W+/g, '-'))
      await install(app, context)
      return await check(app, context)
    },
  })
  return [
    row('esbuild', 'mintid external', byEsbuild),
    row('esbuild', 'all in, addon copied', byEsbuildAlone),
    row('webpack', 'mintid external', byWebpack),
  ]
}

const load = ({ tools }, name) => createRequire(join(tools, 'package.json'))(name)
const ESBUILD = { bundle: true, platform: 'node', logLevel: 'silent' }

async function byEsbuild(app, context) {
  const { build } = load(context, 'esbuild')
  for (const [program, format, out] of [
    ['esm.mjs', 'esm', 'out/esm.mjs'],
    ['cjs.cjs', 'cjs', 'out/cjs.cjs'],
  ]) {
    const places = { entryPoints: [join(app, program)], outfile: join(app, out) }
    await build({ ...ESBUILD, ...places, format, external: ['mintid'] })
    await context.mint(join(app, out), app)
  }
  return 'mints'
}

/** The bundle has to run where there is no node_modules. */
async function byEsbuildAlone(app, context) {
  const { build } = load(context, 'esbuild')
  const outdir = join(app, 'out')
  const { warnings } = await build({
    ...ESBUILD,
    entryPoints: [join(app, 'cjs.cjs')],
    outdir,
    loader: { '.node': 'copy' },
  })
  if (warnings.length > 0) throw new StepFailed(warnings.map(({ text }) => text).join('\n'))
  const elsewhere = join(context.folder, 'elsewhere')
  await mkdir(elsewhere)
  await rename(outdir, join(elsewhere, 'service'))
  const files = await readdir(join(elsewhere, 'service'))
  const [program] = files.filter((file) => file.endsWith('.js'))
  await context.mint(join(elsewhere, 'service', program), elsewhere)
  return `mints from ${files.length} files`
}

async function byWebpack(app, context) {
  const webpack = load(context, 'webpack')
  const out = { path: join(app, 'out'), filename: 'service.cjs' }
  const stats = await new Promise((resolve, reject) => {
    webpack(
      {
        mode: 'production',
        target: 'node',
        context: app,
        entry: './cjs.cjs',
        output: out,
        externals: { mintid: 'commonjs mintid' },
      },
      (error, stats) => (error ? reject(error) : resolve(stats)),
    )
  })
  const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true })
  const told = [...errors, ...warnings].map(({ message }) => message)
  if (told.length > 0) throw new StepFailed(told.join('\n'))
  await context.mint(join(out.path, out.filename), app)
  return 'mints'
}
