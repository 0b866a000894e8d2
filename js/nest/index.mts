// The same implementation, in CommonJS, for `import`.

export {
  getGeneratorToken,
  getIdsToken,
  IdsAsTextInterceptor,
  InjectGenerator,
  InjectIds,
  MintIdExceptionFilter,
  MintIdModule,
  ParseIdPipe,
} from './index.js'
