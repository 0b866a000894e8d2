// The contract of stores, on one that the user wrote: the addon judges, the clients are made here.

import type { BrokenInvariant, RangeStore } from '../index.js'
import { NativeVerifier } from './binding.js'
import { invalid, rejected } from './errors.js'
import { nativeStore, reasonOf } from './own-store.js'

export async function verifyRangeStore(makeStore: () => RangeStore): Promise<BrokenInvariant[]> {
  if (typeof makeStore !== 'function') {
    throw invalid(
      'makeStore',
      makeStore,
      'expected a function that gives another client at each call',
    )
  }
  const verifier = new NativeVerifier((id) => {
    try {
      verifier.made(id, nativeStore(makeStore()))
    } catch (error) {
      verifier.failed(id, reasonOf(error).message)
    }
  })
  try {
    return await verifier.run()
  } catch (reason) {
    throw rejected(reason)
  }
}
