// The registry that npm is set up for, with what publishing asks of it.

import { npm } from '../pack/captured.mjs'
import { ROOT, StepFailed } from '../steps.mjs'

const QUIET = ['--no-update-notifier', '--loglevel=error']

/**
 * Talks to the registry through npm, which knows its address and who we are.
 *
 * @param settings further words for each command
 */
export function npmRegistry(settings = []) {
  const run = (words) => npm([...words, ...QUIET, ...settings], { cwd: ROOT })
  return {
    /** The integrity of what is published under a name and version; undefined where nothing is. */
    async integrityOf(id) {
      try {
        // A copy of the answer from before the upload would say that there is nothing.
        const text = await run(['view', id, 'dist.integrity', '--json', '--prefer-online'])
        return text.trim() === '' ? undefined : JSON.parse(text)
      } catch (error) {
        if (error instanceof StepFailed && error.message.includes('E404')) return undefined
        throw error
      }
    },

    /** Uploads a tarball. Both words on provenance are said: the manifest has one of its own. */
    async publish(tarball, { distTag, provenance }) {
      const origin = provenance ? '--provenance' : '--no-provenance'
      const words = ['--access', 'public', '--tag', distTag, '--ignore-scripts', origin]
      await run(['publish', tarball, ...words])
    },
  }
}
