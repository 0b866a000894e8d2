// Generators of one part of an application, on the store of the root.

import { type DynamicModule, type FactoryProvider, Module } from '@nestjs/common'
import type { SegmentOptions, SnowflakeOptions } from '../../index.js'
import type { GeneratorFeature } from '../../nest.js'
import { type Ids, type LoadedIds, MintIdError } from '../index.js'
import { apart } from './apart.js'
import { Root } from './root.js'
import { getGeneratorToken, IDS } from './tokens.js'

type Imports = Pick<DynamicModule, 'imports'>
type Named = Exclude<GeneratorFeature, string>

/** A class of its own: that of the root would bring the providers of the root along. */
@Module({})
export class MintIdFeatureModule {}

/** `given` are generators, and before them perhaps what leads to the root. */
export function featureModule(given: (GeneratorFeature | Imports)[]): DynamicModule {
  const [first] = given
  const { imports = [] } = isImports(first) ? first : {}
  const features = given.slice(isImports(first) ? 1 : 0) as GeneratorFeature[]
  const providers = features.map((each) => generatorProvider(named(each)))
  return {
    module: MintIdFeatureModule,
    imports,
    providers: [apart(), ...providers],
    exports: providers.map(({ provide }) => provide),
  }
}

function isImports(each: GeneratorFeature | Imports | undefined): each is Imports {
  return typeof each === 'object' && 'imports' in each
}

const named = (feature: GeneratorFeature): Named =>
  typeof feature === 'string' ? { name: feature } : feature

function generatorProvider(feature: Named): FactoryProvider {
  return {
    provide: getGeneratorToken(feature.name),
    // Optional, for Nest would name our providers and not the way out.
    inject: [
      { token: Root, optional: true },
      { token: IDS, optional: true },
    ],
    useFactory: (root?: Root, ids?: Ids | LoadedIds<never>) =>
      generatorOf(reachable(feature.name, root, ids), feature),
  }
}

function reachable(name: string, root?: Root, ids?: Ids | LoadedIds<never>): Ids {
  if (root === undefined && ids === undefined) throw invalid(name, WAYS_OUT.unreachable)
  if (ids === undefined) throw root?.failure ?? invalid(name, WAYS_OUT.notInjected)
  if ('get' in ids) throw invalid(name, WAYS_OUT.configured)
  return ids
}

const WAYS_OUT = {
  unreachable:
    'no MintIdModule.forRoot() can be reached: import it in the root module, or, if its isGlobal is ' +
    'false, hand on the module that exports it: forFeature({ imports: [IdsModule] }, …)',
  notInjected: 'what MintIdModule.forRootAsync() injects is not there: add its module to imports',
  configured: 'the application has a configuration: name the generator there',
}

function generatorOf(ids: Ids, { name, strategy = 'segment', ...options }: Named) {
  if (strategy === 'segment') return ids.segment(name, options as SegmentOptions)
  if (strategy === 'snowflake') return ids.snowflake(name, options as SnowflakeOptions)
  throw invalid(name, `strategy = ${JSON.stringify(strategy)}: expected segment or snowflake`)
}

function invalid(name: string, problem: string): MintIdError {
  const place = `MintIdModule.forFeature(${JSON.stringify(name)})`
  return new MintIdError('ERR_MINTID_CONFIG_INVALID', `${place}: ${problem}`)
}
