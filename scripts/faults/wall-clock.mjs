// A time of day that is set by hand, for processes that are started under it. Clocks that no change
// of the date moves stay as they are.

import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cached, debian } from '../download.mjs'
import { noServers } from '../servers/binaries.mjs'

const VERSION = '0.9.10'
const LIBRARY = 'usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1'

/** Why there can be none here; undefined where there can. */
export const noWallClock = () => noServers

/** A clock that goes right until it is set. */
export async function startWallClock() {
  const folder = await cached(`servers/libfaketime-${VERSION}`, {
    what: `libfaketime ${VERSION} (Debian package)`,
    wayOut: 'see that apt-get can download',
    fill: (part) => debian(part, [`libfaketime=${VERSION}-*`]),
  })
  const clock = new WallClock(join(folder, LIBRARY))
  await clock.set(0)
  return clock
}

class WallClock {
  #library
  #folder = mkdtempSync(join(tmpdir(), 'mintid-clock-'))
  #pids = new Set()
  #tidy = () => this.stop()

  constructor(library) {
    this.#library = library
    process.once('exit', this.#tidy)
  }

  /** The same as `fork` of `node:child_process`. */
  launch = (module, options) => {
    const env = {
      ...process.env,
      LD_PRELOAD: this.#library,
      FAKETIME_TIMESTAMP_FILE: this.#file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    }
    const child = fork(module, { ...options, env })
    this.#pids.add(child.pid)
    return child
  }

  /** Sets it `ms` ahead of the time there is, or back. */
  async set(ms) {
    const part = `${this.#file}.part`
    const seconds = `${ms < 0 ? '-' : '+'}${Math.abs(ms) / 1_000}`
    await writeFile(part, `${seconds}\n`)
    // Whoever reads it at this moment finds the one or the other.
    await rename(part, this.#file)
  }

  stop() {
    process.off('exit', this.#tidy)
    rmSync(this.#folder, { recursive: true, force: true })
    // A process that is killed leaves these behind.
    for (const pid of this.#pids) {
      for (const name of [`faketime_shm_${pid}`, `sem.faketime_sem_${pid}`]) {
        rmSync(join('/dev/shm', name), { force: true })
      }
    }
  }

  get #file() {
    return join(this.#folder, 'offset')
  }
}
