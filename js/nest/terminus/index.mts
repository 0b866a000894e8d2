// The same implementation, in CommonJS, for `import`.

export { MintIdHealthIndicator } from './index.js'
