// One implementation, in CommonJS; a second one would be a second state.

export {
  connect,
  createIds,
  Ids,
  idJsonSchema,
  init,
  KvId,
  MintIdError,
  parseId,
  toSafeNumber,
  verifyRangeStore,
} from './index.js'
