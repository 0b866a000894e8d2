// One implementation, in CommonJS; a second one would be a second state.

export {
  connect,
  createIds,
  defineConfig,
  Ids,
  idJsonSchema,
  init,
  KvId,
  LoadedIds,
  load,
  MintIdError,
  parseId,
  toSafeNumber,
  verifyRangeStore,
} from './index.js'
