// What `mintid/express` exports; index.mts gives the same functions to `import`.

export { errorHandler } from './error-handler.js'
export { idParam } from './id-param.js'
export { jsonReplacer, jsonReplacerAfter } from './json-replacer.js'
export { requestId } from './request-id.js'
