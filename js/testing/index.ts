// What `mintid/testing` exports; index.mts gives the same function to `import`.

import type { IdsOptions, Logger, Ids as PublicIds } from '../../index.js'
import type { TestIds } from '../../testing.js'
import { NativeTestBench } from '../binding.js'
import { called } from '../errors.js'
import { Ids } from '../ids.js'
import { checkOptions } from '../options.js'
import { Clock } from './clock.js'
import { Store } from './store.js'

export function createTestIds(options?: IdsOptions): TestIds {
  const { logger, ...checked } = checkOptions('ids', options)
  const bench = called(() => new NativeTestBench(checked))
  const clock = new Clock(bench)
  const native = called(() => bench.ids())
  return {
    ids: new Ids(native, logger as Logger | undefined, clock) as PublicIds,
    store: new Store(bench),
    clock,
  }
}
