// What `mintid/fastify` exports; index.mts gives the same to `import`.

export { errorHandler } from './error-handler.js'
export { genReqId } from './gen-req-id.js'
export { idsAsText } from './ids-as-text.js'
export { mintid, mintid as default } from './plugin.js'
