// The same implementation, in CommonJS, for `import`.

export { createTestIds } from './index.js'
