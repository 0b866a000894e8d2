// The same implementation, in CommonJS, for `import`.

export { errorHandler, idParam, jsonReplacer, jsonReplacerAfter, requestId } from './index.js'
