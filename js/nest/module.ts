// The module: one `forRoot` for the store, and a `forFeature` wherever generators are used.

import { type DynamicModule, type FactoryProvider, Module, type Provider } from '@nestjs/common'
import type { MintIdConfig } from '../../index.js'
import type {
  GeneratorFeature,
  MintIdAsyncOptions,
  MintIdOptionsFactory,
  MintIdRootOptions,
} from '../../nest.js'
import { Ids, LoadedIds, MintIdError } from '../index.js'
import { apart } from './apart.js'
import { featureModule } from './feature.js'
import { checkFlag, Root } from './root.js'
import { getGeneratorToken, IDS } from './tokens.js'

@Module({})
// biome-ignore lint/complexity/noStaticOnlyClass: to Nest a module is a class
export class MintIdModule {
  static forRoot(options: MintIdRootOptions = {}): DynamicModule {
    const { isGlobal, config, ...given } = options
    const ids: FactoryProvider = {
      provide: IDS,
      inject: [Root],
      useFactory: (root: Root) => root.open(() => given, config),
    }
    return rootModule({ isGlobal, config, providers: [ids] })
  }

  static forRootAsync(options: MintIdAsyncOptions): DynamicModule {
    const { isGlobal, config, imports = [] } = options
    return { ...rootModule({ isGlobal, config, providers: idsLater(options) }), imports }
  }

  static forFeature(
    ...given: (GeneratorFeature | Pick<DynamicModule, 'imports'>)[]
  ): DynamicModule {
    return featureModule(given)
  }
}

interface RootParts {
  isGlobal: boolean | undefined
  config: MintIdConfig | undefined
  providers: Provider[]
}

function rootModule({ isGlobal = true, config, providers }: RootParts): DynamicModule {
  checkFlag('isGlobal', isGlobal)
  const generators = Object.keys(config?.generators ?? {}).map(
    (name): FactoryProvider => ({
      provide: getGeneratorToken(name),
      inject: [IDS],
      useFactory: (ids: LoadedIds<Record<string, object>>) => ids.get(name),
    }),
  )
  // Injected by its class alone where decorators are not liked.
  const ids = config === undefined ? Ids : LoadedIds
  return {
    module: MintIdModule,
    global: isGlobal,
    providers: [apart(), Root, ...providers, { provide: ids, useExisting: IDS }, ...generators],
    exports: [Root, IDS, ids, ...generators.map(({ provide }) => provide)],
  }
}

/** The ids of options that others have to give first. */
function idsLater(options: MintIdAsyncOptions): Provider[] {
  const { config, inject = [], useFactory, useClass, useExisting } = options
  if (useFactory !== undefined) {
    return [
      {
        provide: IDS,
        inject: [Root, ...inject],
        useFactory: (root: Root, ...found: unknown[]) =>
          root.open(() => useFactory(...found), config),
      },
    ]
  }
  const factory = useExisting ?? useClass
  if (factory === undefined) {
    throw new MintIdError(
      'ERR_MINTID_CONFIG_INVALID',
      'MintIdModule.forRootAsync() is given no options: name useFactory, useClass or useExisting',
    )
  }
  const ids: FactoryProvider = {
    provide: IDS,
    inject: [Root, factory],
    useFactory: (root: Root, each: MintIdOptionsFactory) =>
      root.open(() => each.createMintIdOptions(), config),
  }
  return useClass === undefined ? [ids] : [ids, { provide: useClass, useClass }]
}
