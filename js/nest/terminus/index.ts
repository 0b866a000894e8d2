// What `mintid/nest/terminus` exports; index.mts gives the same class to `import`. Apart from
// `mintid/nest`, so that nobody needs terminus who has no use for it.

import { Injectable } from '@nestjs/common'
import * as terminus from '@nestjs/terminus'
import type { Health } from '../../../index.js'
import type { MintIdHealth } from '../../../nest/terminus.js'
import { InjectIds } from '../inject.js'

type Result<Key extends string> = Record<Key, MintIdHealth>

@Injectable()
export class MintIdHealthIndicator {
  readonly #ids: { health(): Health }

  constructor(@InjectIds() ids: { health(): Health }) {
    this.#ids = ids
  }

  isHealthy<const Key extends string>(key: Key): Result<Key> {
    const told = this.#look()
    const result = { [key]: told } as Result<Key>
    if (told.status === 'down') throwBefore11(key, result)
    return result
  }

  #look(): MintIdHealth {
    try {
      const { ok, ...details } = this.#ids.health()
      return { status: ok ? 'up' : 'down', ...details }
    } catch (error) {
      // Closed: the application is about to end.
      return { status: 'down', message: (error as Error).message }
    }
  }
}

/** A result that is returned says how things are from terminus 11 on; 10 takes it for well. */
function throwBefore11(key: string, result: object): void {
  if ('HealthIndicatorService' in terminus) return
  const { HealthCheckError } = terminus as unknown as {
    HealthCheckError: new (message: string, causes: object) => Error
  }
  throw new HealthCheckError(`${key} is down`, result)
}
