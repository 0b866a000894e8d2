// Brings a checkout to the point where it can be built: checks the tools, installs the packages.
// Uses nothing that has to be installed first, and no syntax that an old Node cannot read.

import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { attempted, isMain, main, ROOT, run, StepFailed, step } from './steps.mjs'

/** Checks the tools, and installs the npm packages when the lock file is newer than they are. */
export async function setup() {
  checkNode()
  checkRust()
  if (!isInstalled()) await step('install npm packages', install)
}

function checkNode() {
  const range = JSON.parse(read('package.json')).engines.node
  if (!meets(process.versions.node, range)) {
    throw new StepFailed(`Node ${process.versions.node} is too old or unsupported: use ${range}`)
  }
}

/** Whether a version meets a range made of `^20.19`, `>=24` and `||`, as package.json has it. */
export function meets(version, range) {
  const [major, minor] = version.split('.').map(Number)
  return range.split('||').some((alternative) => {
    const [, operator, ...numbers] = /^\s*(\^|>=)(\d+)(?:\.(\d+))?\s*$/.exec(alternative)
    const [leastMajor, leastMinor] = numbers.map((digits) => Number(digits ?? 0))
    if (operator === '>=' && major > leastMajor) return true
    return major === leastMajor && minor >= leastMinor
  })
}

function checkRust() {
  const [, least] = /^rust-version = "([\d.]+)"/m.exec(read('Cargo.toml'))
  const { stdout } = spawnSync('cargo', ['--version'], { cwd: ROOT, encoding: 'utf8' })
  const [, version] = /^cargo (\d+\.\d+)/.exec(stdout ?? '') ?? []
  if (version === undefined) {
    throw new StepFailed(`cargo was not found on the PATH: install Rust ${least} or newer`)
  }
  if (!meets(version, `^${least}`)) {
    throw new StepFailed(`Rust ${version} is too old: ${least} or newer is needed`)
  }
}

/** npm writes its own copy of the lock file last, so its age is that of a finished install. */
function isInstalled() {
  const installed = modified('node_modules/.package-lock.json')
  return installed !== undefined && installed >= modified('package-lock.json')
}

function modified(file) {
  return statSync(join(ROOT, file), { throwIfNoEntry: false })?.mtimeMs
}

const install = () =>
  attempted(() => run('npm', ['ci', '--prefer-offline', '--loglevel=error'], { quiet: true }))

const read = (file) => readFileSync(join(ROOT, file), 'utf8')

if (isMain(import.meta.url)) await main(setup)
