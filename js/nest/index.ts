// What `mintid/nest` exports; index.mts gives the same objects to `import`.

export { MintIdExceptionFilter } from './exception-filter.js'
export { IdsAsTextInterceptor } from './ids-as-text.js'
export { InjectGenerator, InjectIds } from './inject.js'
export { MintIdModule } from './module.js'
export { ParseIdPipe } from './parse-id.js'
export { getGeneratorToken, getIdsToken } from './tokens.js'
