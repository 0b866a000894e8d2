// What the package exports; index.mts gives the same objects to `import`.

export { defineConfig, LoadedIds, load } from './config.js'
export { MintIdError } from './errors.js'
export { idJsonSchema, parseId, toSafeNumber } from './id.js'
export { connect, createIds, Ids } from './ids.js'
export { init, KvId } from './kvid.js'
export { verifyRangeStore } from './verify.js'
