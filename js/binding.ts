// The native half. The loader beside the package is written by the napi CLI.

type Binding = typeof import('../binding.cjs')

const binding: Binding = require('../binding.cjs')

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
