// The public types of mintid/nest, written by hand and the truth for both `import` and `require`.
// Nest 12 is an ES module, of which CommonJS may take the types only so.

import type {
  ArgumentMetadata,
  ArgumentsHost,
  CallHandler,
  DynamicModule,
  ExceptionFilter,
  ExecutionContext,
  NestInterceptor,
  PipeTransform,
  Type,
} from '@nestjs/common' with { 'resolution-mode': 'import' }
import type { HttpAdapterHost } from '@nestjs/core' with { 'resolution-mode': 'import' }
import type { Observable } from 'rxjs'
import type {
  GeneratorConfigs,
  GeneratorOf,
  Id,
  IdsOptions,
  MintIdConfig,
  MintIdError,
  RangeStore,
  SegmentGenerator,
  SegmentOptions,
  SnowflakeGenerator,
  SnowflakeOptions,
} from './index.js'

/**
 * What an application tells of its generators, so that a wrong name does not compile:
 *
 *     declare module 'mintid/nest' {
 *       interface Register { config: typeof config } // what `defineConfig` gave
 *     }
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is empty for others to fill
export interface Register {}

type Registered = Register extends { config: { generators: infer G extends GeneratorConfigs } }
  ? G
  : never

/** The names of the registered generators, or any text where none are registered. */
export type GeneratorName = [Registered] extends [never] ? string : keyof Registered & string

/** What is injected under a name: of either kind, unless it is registered. */
export type InjectedGenerator<Name extends GeneratorName> = [Registered] extends [never]
  ? SegmentGenerator<Name> | SnowflakeGenerator<Name>
  : GeneratorOf<Registered, Name>

/** The store of an application, and its options. */
export interface MintIdOptions extends IdsOptions {
  /** A URL, or a store of your own. Default the environment's `MINTID_URL`. */
  store?: string | RangeStore | undefined
  /** Whether the application starts only once the store answers. Default `false`. */
  waitForStore?: boolean | undefined
}

/** What has to be known before anything is made. */
export interface MintIdModuleExtras {
  /** Whether every module may use what this one exports. Default `true`. */
  isGlobal?: boolean | undefined
  /** Stores and generators as one object, whose generators can be injected by their names. */
  config?: MintIdConfig<GeneratorConfigs> | undefined
}

/** Options of `forRoot`. Beside a `config` they override what it says of its stores. */
export interface MintIdRootOptions extends MintIdOptions, MintIdModuleExtras {}

/** Gives options, as a provider. */
export interface MintIdOptionsFactory {
  createMintIdOptions(): MintIdOptions | Promise<MintIdOptions>
}

/** Options of `forRootAsync`: those of the store come from one of `useFactory`, `useClass`, `useExisting`. */
export interface MintIdAsyncOptions extends MintIdModuleExtras, Pick<DynamicModule, 'imports'> {
  /** What `useFactory` takes. */
  // biome-ignore lint/suspicious/noExplicitAny: as Nest has it, for tokens of every kind
  inject?: any[] | undefined
  // biome-ignore lint/suspicious/noExplicitAny: what is injected is known to the caller alone
  useFactory?: ((...injected: any[]) => MintIdOptions | Promise<MintIdOptions>) | undefined
  useClass?: Type<MintIdOptionsFactory> | undefined
  useExisting?: Type<MintIdOptionsFactory> | undefined
}

/** A generator: a name alone is a dense counter. */
export type GeneratorFeature =
  | string
  | (SegmentOptions & { name: string; strategy?: 'segment' | undefined })
  | (SnowflakeOptions & { name: string; strategy: 'snowflake' })

/** Ids for an application: one `forRoot` for the store, a `forFeature` wherever generators are used. */
// biome-ignore lint/complexity/noStaticOnlyClass: to Nest a module is a class
export declare class MintIdModule {
  /** Opens a store, which it closes in `onApplicationShutdown`, after every other hook. */
  static forRoot(options?: MintIdRootOptions): DynamicModule
  /** The same with options that are known later. */
  static forRootAsync(options: MintIdAsyncOptions): DynamicModule
  /** Makes generators injectable in the modules that import this. */
  static forFeature(...generators: GeneratorFeature[]): DynamicModule
  /** The same where `isGlobal` is `false`: `imports` has the module that exports `MintIdModule`. */
  static forFeature(
    root: Pick<DynamicModule, 'imports'>,
    ...generators: GeneratorFeature[]
  ): DynamicModule
}

/** The token of the application's `Ids`, or of the `LoadedIds` of its `config`. */
export declare function getIdsToken(): string

/** The token of a generator, such as for `overrideProvider`. */
export declare function getGeneratorToken(name: GeneratorName): string

/** Injects the application's `Ids`, or the `LoadedIds` of its `config`. */
export declare function InjectIds(): PropertyDecorator & ParameterDecorator

/** Injects a generator; what it is injected as has to be of its name and kind. */
export declare function InjectGenerator<const Name extends GeneratorName>(
  name: Name,
): GeneratorDecorator<Name>

/** Decorates a parameter of a constructor, or a property. */
export interface GeneratorDecorator<Name extends GeneratorName> {
  // biome-ignore lint/suspicious/noExplicitAny: any constructor
  <C extends abstract new (...parameters: any) => object, const I extends number>(
    target: C,
    key: undefined,
    index: I & Fitting<ConstructorParameters<C>[I], Name>,
  ): void
  /** A private property cannot be looked at from outside. */
  <T extends object, const K extends string | symbol>(
    target: T,
    key: K & (K extends keyof T ? Fitting<T[K], Name> : unknown),
  ): void
}

/** Nothing more than the place itself, if the generator fits there. */
type Fitting<Place, Name extends GeneratorName> = [Fits<InjectedGenerator<Name>, Place>] extends [
  never,
]
  ? { readonly 'has to take the generator': Name }
  : unknown
type Fits<Generator, Place> = Generator extends Place ? Generator : never

/** Options of `ParseIdPipe`, as of Nest's own pipes. */
export interface ParseIdPipeOptions {
  /** The status of what is thrown. Default 400. */
  errorHttpStatusCode?: number | undefined
  /** Makes what is thrown, of the message. */
  exceptionFactory?: ((error: string) => unknown) | undefined
  /** Whether `undefined` and `null` are let through. Default `false`. */
  optional?: boolean | undefined
}

/** Text to id: digits only (no sign, space, `0x` or leading zero), below 2^63. */
export declare class ParseIdPipe<const Name extends string = string>
  implements PipeTransform<unknown, Id<Name> | null | undefined>
{
  /** `generator` gives the id its type: a name, or a generator. */
  constructor(generator?: Name | { readonly name: Name }, options?: ParseIdPipeOptions)
  transform(value: unknown, metadata?: Partial<ArgumentMetadata>): Id<Name> | null | undefined
}

/**
 * Makes text of every bigint in a response, however deep, and of a batch an array of text. Objects
 * that hold none are passed on as they are, as is what has a `toJSON` of its own, and streams.
 */
export declare class IdsAsTextInterceptor implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown>
}

/**
 * Answers a `MintIdError` over HTTP: 400 for what is no id, 503 with `Retry-After` where no id can be
 * had at the moment, 500 for the rest. Other errors are left to Nest.
 */
export declare class MintIdExceptionFilter implements ExceptionFilter<MintIdError> {
  constructor(host: HttpAdapterHost)
  catch(error: MintIdError, host: ArgumentsHost): void
}
