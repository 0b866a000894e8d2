// The same implementation, in CommonJS, for `import`.

export { errorHandler, genReqId, idsAsText, mintid, mintid as default } from './index.js'
