// The workflow files: that what they run is there, and that their lint finds what it is for.

import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { checkWorkflows } from '../scripts/workflows.mjs'
import { folderOf } from './support/folder.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FOLDER = join(ROOT, '.github', 'workflows')
const SCRIPTS = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts
/** What npm does by itself. */
const OWN = ['ci', 'install', 'test']

/** zizmor is fetched, for Linux on x86-64. */
const withoutZizmor = !(process.platform === 'linux' && process.arch === 'x64') && 'no zizmor here'

const CHECKOUT = 'actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1'

/** A workflow with nothing wrong in it, unless a part is replaced. */
const workflow = ({
  permissions = 'permissions: {}',
  runner = 'ubuntu-24.04',
  job = '',
  step = '',
  checkout = CHECKOUT,
  credentials = 'persist-credentials: false',
}) => `name: Planted
on:
  issues:
${permissions}
concurrency:
  group: planted
  cancel-in-progress: true
jobs:
  planted:
    name: Planted
    runs-on: ${runner}
    timeout-minutes: 5
    ${job}
    steps:
      - uses: ${checkout}
        with:
          ${credentials}
      - run: echo planted
        ${step}
`

/** Another step, which runs what a place of the workflow's own says. */
const running = (place) => `shell: bash\n      - run: echo "\${{ ${place} }}"`

const PLANTED = [
  ['an unknown key of a job', { job: 'time-out: 5' }, 'unexpected key "time-out"'],
  ['an unknown key of a step', { step: 'enviroment: x' }, 'unexpected key "enviroment"'],
  ['an expression that does not parse', { step: 'if: github.ref ==' }, 'unexpected end of input'],
  ['a property that there is not', { step: 'if: github.bogus' }, 'property "bogus" is not defined'],
  ['a job that there is not', { job: 'needs: nobody' }, 'needs job "nobody"'],
  ['a runner that there is not', { runner: 'ubuntu-3.04' }, 'label "ubuntu-3.04" is unknown'],
  ['words of a stranger in a script', { step: running('github.event.issue.title') }, 'untrusted'],
]

/** What zizmor alone finds. */
const UNSAFE = [
  ['the name of a branch in a script', { step: running('github.ref_name') }, 'template-injection'],
  ['an action that is not pinned', { checkout: 'actions/checkout@v7' }, 'unpinned-uses'],
  ['a checkout that keeps its credentials', { credentials: 'fetch-depth: 1' }, 'artipacked'],
  ['permissions that nobody limited', { permissions: '' }, 'excessive-permissions'],
  ['the right to write everything', { job: 'permissions: write-all' }, 'excessive-permissions'],
]

for (const [skip, planted] of [
  [false, PLANTED],
  [withoutZizmor, UNSAFE],
]) {
  for (const [what, replaced, told] of planted) {
    test(`${what} is refused`, { skip }, async (t) => {
      await assert.rejects(checkWorkflows(holding(t, workflow(replaced))), ({ message }) => {
        assert.ok(message.includes('planted.yml:'), message)
        assert.ok(message.includes(told), message)
        return true
      })
    })
  }
}

test('a workflow with nothing wrong in it is taken', async (t) => {
  await checkWorkflows(holding(t, workflow({})))
  await checkWorkflows(holding(t, workflow({ runner: 'windows-11-arm' })))
})

test('a folder without workflows is not clean', async (t) => {
  await assert.rejects(checkWorkflows(folderOf(t)), /holds no workflow/)
})

for (const name of readdirSync(FOLDER)) {
  const text = readFileSync(join(FOLDER, name), 'utf8')

  test(`what ${name} runs is there`, () => {
    const scripts = [...text.matchAll(/\bnpm (?:run (?:--silent )?)?([\w:-]+)/g)]
      .map(([, script]) => script)
      .filter((script) => !OWN.includes(script) && !(script in SCRIPTS))
    const files = [...text.matchAll(/(?<![\w/])(?:\.ci|\.github|scripts)\/[\w./-]+/g)]
      .map(([path]) => path)
      .filter((path) => !existsSync(join(ROOT, path)))
    assert.deepEqual([...scripts, ...files], [])
  })

  test(`every job of ${name} has an end`, () => {
    const [, jobs] = text.split(/^jobs:$/m)
    for (const job of jobs.split(/^ {2}(?=[\w-]+:$)/m).slice(1)) {
      assert.match(job, /^ {4}(timeout-minutes|uses): /m)
    }
  })
}

function holding(t, text) {
  const folder = folderOf(t)
  writeFileSync(join(folder, 'planted.yml'), text)
  return folder
}
