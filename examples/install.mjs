// Installs what an example needs from its lock file, and puts this checkout beside it as `mintid`.
// `node examples/install.mjs express` does it by hand.

import { execFile } from 'node:child_process'
import { cpSync, linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
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

/**
 * A user has the package from the registry, as a dependency like any other. It is copied, for Node
 * looks beside the real path of a file: behind a link, a framework would be that of the checkout.
 */
export function installCheckout(place) {
  rmSync(place, { recursive: true, force: true, maxRetries: 5 })
  mkdirSync(place, { recursive: true })
  const { files } = JSON.parse(readFileSync(`${CHECKOUT}package.json`, 'utf8'))
  for (const name of ['package.json', ...files]) {
    cpSync(`${CHECKOUT}${name}`, `${place}/${name}`, { recursive: true })
  }
  // The one large file is shared; only administrators of Windows make symbolic links.
  const addons = readdirSync(CHECKOUT).filter((name) => name.endsWith('.node'))
  for (const name of addons) linkSync(`${CHECKOUT}${name}`, `${place}/${name}`)
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
