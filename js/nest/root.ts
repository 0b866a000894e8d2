// What one `MintIdModule` opens, and therefore closes. An `Ids` that somebody else made, such as one
// that overrides ours in a test, never comes here, and is not closed.

import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common'
import type { IdsOptions, MintIdConfig } from '../../index.js'
import type { MintIdOptions } from '../../nest.js'
import { CLOSE_LIMIT_MS, isClosedInTime } from '../http/close.js'
import { invalid } from '../http/options.js'
import { createIds, type Ids, type LoadedIds, load } from '../index.js'

@Injectable()
export class Root implements OnApplicationShutdown {
  /** Why there are no ids: Nest does not tell those who inject them optionally. */
  failure: unknown
  #ids: Ids | LoadedIds<MintIdConfig['generators']> | undefined

  /** `tell` gives the options, once they are known. They override those of `config`. */
  async open(tell: () => Options | Promise<Options>, config?: MintIdConfig) {
    try {
      const { waitForStore = false, ...options } = (await tell()) ?? {}
      checkFlag('waitForStore', waitForStore)
      this.#ids = config === undefined ? opened(options) : load({ ...config, ...given(options) })
      if (waitForStore) await this.#ids.ready()
      return this.#ids
    } catch (error) {
      this.failure = error
      // Not waited for: that the application does not start is told at once.
      this.#ids?.close().catch(() => {})
      throw error
    }
  }

  /** The last hook: in those before it others may still want ids. */
  async onApplicationShutdown(): Promise<void> {
    const ids = this.#ids
    // Nest runs the hooks again if it is closed again.
    this.#ids = undefined
    try {
      if (await isClosedInTime(ids?.close())) return
      warn(`the store did not let go within ${CLOSE_LIMIT_MS} ms`)
    } catch (error) {
      warn((error as Error).message)
    }
  }
}

function warn(problem: string): void {
  new Logger('MintIdModule').warn(
    `${problem}; a machine number that was not given back is free again after its lease`,
  )
}

type Options = MintIdOptions | undefined

function opened({ store, ...options }: MintIdOptions): Ids {
  return createIds(store, options as IdsOptions)
}

/** An option that is left out overrides nothing, also where it was written down. */
const given = (options: MintIdOptions): MintIdOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))

export function checkFlag(name: string, value: unknown): void {
  if (typeof value !== 'boolean') throw invalid(name, value, 'expected true or false')
}
