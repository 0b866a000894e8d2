// Generators as constants, on the store that the process was given.

import type { IdsOptions, KvIdOptions, Logger } from '../index.js'
import { checkName, NativeIds } from './binding.js'
import { called, invalid, MintIdError } from './errors.js'
import { Ids, storeUrl } from './ids.js'
import { checkOptions } from './options.js'
import { Segment } from './segment.js'
import { realm } from './state.js'

/** The realm's hold on the store of the process: closed, it makes room for another. */
class IdsOfProcess extends Ids {
  override close(): Promise<void> {
    if (realm.ids === this) realm.ids = undefined
    return super.close()
  }
}

export function init(url?: string, options?: IdsOptions): Ids {
  const { logger, ...checked } = checkOptions('ids', options)
  const native = called(() => NativeIds.initProcess(storeUrl(url), checked))
  if (realm.ids === undefined) {
    realm.ids = new IdsOfProcess(native, logger as Logger | undefined)
    return realm.ids
  }
  // The same store once more, or the addon had refused it.
  void native.close()
  if (logger !== undefined) {
    throw invalid('logger', logger, 'init was called before: give the logger to the first call')
  }
  return realm.ids
}

/** The store of the process, which another thread may have given it. */
function idsOfProcess(name: string): Ids {
  if (realm.ids === undefined) {
    const native = NativeIds.ofProcess()
    if (native === null) {
      throw new MintIdError(
        'ERR_MINTID_NOT_CONNECTED',
        `"${name}" has no store yet: call init with a URL first`,
      )
    }
    realm.ids = new IdsOfProcess(native)
  }
  return realm.ids
}

export class KvId<const Name extends string> extends Segment<Name> {
  constructor(name: Name, options?: KvIdOptions) {
    if (typeof name !== 'string') throw invalid('name', name, 'expected text')
    called(() => checkName(name))
    const checked = checkOptions('segment', options)
    super(name, () => idsOfProcess(name).kvid(name, checked))
  }
}
