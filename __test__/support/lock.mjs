// The turn at a store's file, held by another process. `flock` is the one of util-linux.

import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Keeps everybody from the store in `file`, until `release` is called or the test is over. */
export async function holdLock(t, file) {
  const script = 'echo held; exec cat'
  const holder = spawn('flock', ['-x', `${file}.lock`, 'sh', '-c', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(holder, 'close')
  const release = async () => {
    holder.stdin.end()
    await ended
  }
  t.after(release)
  await once(holder.stdout, 'data')
  return { release }
}
