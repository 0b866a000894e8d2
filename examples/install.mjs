// Installs what an example needs from its lock file, and puts this checkout beside it as `mintid`.
// `node examples/install.mjs express` does it by hand.

import { execFile } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, statSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ATTEMPTS = 3

const CHECKOUT = fileURLToPath(new URL('..', import.meta.url))

/** The folder of an example, with everything that it needs. */
export async function install(example) {
  const folder = fileURLToPath(new URL(`${example}/`, import.meta.url))
  if (!isInstalled(folder)) await installPackages(folder)
  installCheckout(`${folder}node_modules/mintid`)
  return folder
}

/** A user has the package from the registry, as a dependency like any other. */
function installCheckout(place) {
  mkdirSync(place, { recursive: true })
  copyFileSync(`${CHECKOUT}package.json`, `${place}/package.json`)
  // Not the checkout as a whole: whoever reads this folder would then go round and round.
  if (!existsSync(`${place}/dist`)) symlinkSync(`${CHECKOUT}dist`, `${place}/dist`, 'junction')
}

/** npm writes its own copy of the lock file last, so its age is that of a finished install. */
function isInstalled(folder) {
  const modified = (file) => statSync(folder + file, { throwIfNoEntry: false })?.mtimeMs
  const installed = modified('node_modules/.package-lock.json')
  return installed !== undefined && installed >= modified('package-lock.json')
}

async function installPackages(folder) {
  for (let attempt = 1; ; attempt++) {
    try {
      const words = ['ci', '--prefer-offline', '--loglevel=error']
      // npm is a batch file on Windows.
      const shell = process.platform === 'win32'
      await promisify(execFile)('npm', words, { cwd: folder, shell })
      return
    } catch (error) {
      if (attempt === ATTEMPTS) throw error
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await install(process.argv[2])
