// The native half, as the rest of the package sees it.

import { loadAddon } from './addon/load.js'

type Binding = typeof import('../binding.cjs')

const binding = loadAddon<Binding>()

export const {
  NativeEvents,
  NativeIds,
  NativeStore,
  NativeTestBench,
  NativeVerifier,
  checkName,
  copyId,
  errorTable,
  now,
  optionTable,
} = binding
export type {
  NativeIds as NativeIdsHandle,
  NativeSegment,
  NativeSnowflake,
  NativeTestBench as NativeTestBenchHandle,
} from '../binding.cjs'
