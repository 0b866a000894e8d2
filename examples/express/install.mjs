// Installs Express from the lock file, and puts this checkout beside it as `mintid`.

import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ATTEMPTS = 3

export const FOLDER = fileURLToPath(new URL('.', import.meta.url))
const CHECKOUT = fileURLToPath(new URL('../..', import.meta.url))
const PACKAGE = `${FOLDER}node_modules/mintid`

export async function install() {
  if (!isInstalled()) await installPackages()
  installCheckout()
}

/** A user has the package from the registry, as a dependency like any other. */
function installCheckout() {
  mkdirSync(PACKAGE, { recursive: true })
  copyFileSync(`${CHECKOUT}package.json`, `${PACKAGE}/package.json`)
  // Not the checkout as a whole: whoever reads this folder would then go round and round.
  if (!existsSync(`${PACKAGE}/dist`)) symlinkSync(`${CHECKOUT}dist`, `${PACKAGE}/dist`, 'junction')
}

/** npm writes its own copy of the lock file last, so its age is that of a finished install. */
function isInstalled() {
  const installed = modified('node_modules/.package-lock.json')
  return installed !== undefined && installed >= modified('package-lock.json')
}

const modified = (file) => statSync(FOLDER + file, { throwIfNoEntry: false })?.mtimeMs

async function installPackages() {
  for (let attempt = 1; ; attempt++) {
    try {
      const words = ['ci', '--prefer-offline', '--loglevel=error']
      // npm is a batch file on Windows.
      const shell = process.platform === 'win32'
      await promisify(execFile)('npm', words, { cwd: FOLDER, shell })
      return
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await install()
