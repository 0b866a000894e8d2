// Programs in TypeScript that use the package: each compiler under the settings people have, never
// with `skipLibCheck`, which would hide what is wrong in our own types.

import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT, StepFailed } from '../steps.mjs'
import { node } from './captured.mjs'

const FORMS = { ESM: 'mts', CommonJS: 'cts' }
const STRICT = { strict: true, exactOptionalPropertyTypes: true, declaration: true, types: [] }

/** `withNode` alone sees `@types/node`, and needs it: its `lib` has nothing of a browser's. */
const SETTINGS = [
  { title: 'tsc --init', forms: ['ESM', 'CommonJS'] },
  { title: 'node16', options: { ...STRICT, module: 'node16' }, forms: ['ESM', 'CommonJS'] },
  {
    title: 'nodenext, @types/node',
    options: { ...STRICT, module: 'nodenext', target: 'es2022', lib: ['es2023'], types: ['node'] },
    forms: ['ESM', 'CommonJS'],
    withNode: true,
  },
  {
    title: 'bundler',
    options: { ...STRICT, module: 'esnext', moduleResolution: 'bundler', target: 'es2022' },
    forms: ['ESM'],
    // What it writes has no bundler to go through.
    typesOnly: true,
  },
]

/** The compilers, by the folder of the package that brings each. */
export async function compilers(tools) {
  return await Promise.all([ROOT, tools].map(readCompiler))
}

async function readCompiler(folder) {
  const home = join(folder, 'node_modules', 'typescript')
  const { version } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'))
  const title = `TypeScript ${version.split('.').slice(0, 2).join('.')}`
  return { title, tsc: (args, cwd) => node([join(home, 'bin', 'tsc'), ...args], { cwd }) }
}

/**
 * The consumers of one compiler in a folder where the package is installed.
 *
 * @returns consumers as `{ title, form, check }`; they are to be run in this order
 */
export function typescriptConsumers({ title: compiler, tsc }, { folder, entryPoints, runProgram }) {
  const projects = SETTINGS.map((setting) => ({
    ...setting,
    title: `${compiler}, ${setting.title}`,
    folder: join(folder, `${compiler} ${setting.title}`.replace(/\W+/g, '-')),
  }))
  return [
    ...projects.flatMap((project) => {
      const compiled = once(() => compile(project, tsc, entryPoints))
      return project.forms.map((form) => ({
        title: project.title,
        form,
        check: async () => {
          await compiled()
          if (project.typesOnly) return 'compiles'
          const program = join(project.folder, 'out', `shop.${FORMS[form].replace('t', 'j')}`)
          return `compiles, ${await runProgram(program)}`
        },
      }))
    }),
    {
      title: `${compiler}, a wrong brand`,
      form: 'ESM, CommonJS',
      check: () => refuseWrongBrand(join(folder, `${compiler} brand`.replace(/\W+/g, '-')), tsc),
    },
  ]
}

async function compile({ folder, options, forms, withNode }, tsc, entryPoints) {
  await mkdir(folder)
  if (withNode) await giveNodeTypes(folder)
  if (options === undefined) await tsc(['--init'], folder)
  else await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options }))
  for (const form of forms) {
    await takeProgram('shop', form, folder)
    await writeFile(join(folder, `all.${FORMS[form]}`), importAll(entryPoints, form))
  }
  await tsc(['-p', '.', '--skipLibCheck', 'false', '--rootDir', '.', '--outDir', 'out'], folder)
}

/** A program that takes every entry point, so that the types of each are checked. */
function importAll(entryPoints, form) {
  const names = entryPoints.map((_, i) => `entry${i}`).join(', ')
  const lines = {
    ESM: (point, i) => `import * as entry${i} from '${point}'\n`,
    CommonJS: (point, i) => `import entry${i} = require('${point}')\n`,
  }
  const all = { ESM: `export { ${names} }\n`, CommonJS: `export = { ${names} }\n` }
  return entryPoints.map(lines[form]).join('') + all[form]
}

/** The compiler finds those that are beside a program, and there are none above this folder. */
async function giveNodeTypes(folder) {
  const types = join('node_modules', '@types')
  await mkdir(join(folder, types), { recursive: true })
  await symlink(join(ROOT, types, 'node'), join(folder, types, 'node'), 'junction')
}

async function refuseWrongBrand(folder, tsc) {
  await mkdir(folder)
  const files = ['mts', 'cts'].map((extension) => `wrong-brand.${extension}`)
  for (const form of Object.keys(FORMS)) await takeProgram('wrong-brand', form, folder)
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022']
  const output = await tsc([...flags, '--pretty', 'false', ...files], folder).then(
    () => '',
    (error) => error.message,
  )
  const errors = [...output.matchAll(/^(wrong-brand\.\wts)\(\d+,\d+\): error (TS\d+)/gm)]
  const found = errors.map(([, file, code]) => `${file} ${code}`).sort()
  const wanted = files.map((file) => `${file} TS2322`).sort()
  if (found.join() !== wanted.join()) throw new StepFailed(`it should be refused:\n${output}`)
  return 'refused, TS2322'
}

const takeProgram = (name, form, folder) => {
  const file = `${name}.${FORMS[form]}`
  return copyFile(join(ROOT, 'scripts', 'consumers', 'programs', file), join(folder, file))
}

function once(work) {
  let result
  return () => {
    result ??= work()
    return result
  }
}
