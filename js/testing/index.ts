// What `mintid/testing` exports; index.mts gives the same function to `import`.

import type { IdsOptions, Logger, Ids as PublicIds } from '../../index.js'
import type { TestIds } from '../../testing.js'
import { NativeTestBench } from '../binding.js'
import { called, Ids } from '../ids.js'
import { checkOptions } from '../options.js'
import { Clock } from './clock.js'
import { Store } from './store.js'

export function createTestIds(options?: IdsOptions): TestIds {
  const { logger, ...checked } = checkOptions('ids', options)
  const bench = called(() => new NativeTestBench(checked))
  return {
    ids: new Ids(
      called(() => bench.ids()),
      logger as Logger | undefined,
    ) as PublicIds,
    store: new Store(bench),
    clock: new Clock(bench),
  }
}
