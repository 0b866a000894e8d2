// What the types of mintid/nest promise, and what they refuse. Checked by `tsc`, never run.

import type { DynamicModule } from '@nestjs/common'
import {
  type HealthCheckService,
  type HealthIndicatorFunction,
  type HealthIndicatorResult,
  TerminusModule,
} from '@nestjs/terminus'
import {
  createIds,
  defineConfig,
  type Id,
  Ids,
  KvId,
  type LoadedIds,
  type SegmentGenerator,
  type SnowflakeGenerator,
} from 'mintid'
import {
  type GeneratorName,
  getGeneratorToken,
  getIdsToken,
  InjectGenerator,
  InjectIds,
  MintIdModule,
  type MintIdOptionsFactory,
  ParseIdPipe,
} from 'mintid/nest'
import { MintIdHealthIndicator } from 'mintid/nest/terminus'
import { is } from './support/types.js'

declare const name: string

export class Parameters {
  constructor(
    @InjectIds() readonly ids: Ids,
    @InjectGenerator('orders') readonly orders: SegmentGenerator<'orders'>,
    @InjectGenerator('events') readonly events: SnowflakeGenerator<'events'>,
    @InjectGenerator('orders') readonly anything: unknown,
    @InjectGenerator('orders') protected readonly wide: SegmentGenerator,
    @InjectGenerator('orders') private readonly hidden: { next(): Promise<Id<'orders'>> },
    @InjectGenerator('orders')
    readonly either: SegmentGenerator<'orders'> | SnowflakeGenerator<'orders'>,
    @InjectGenerator('orders') readonly optional?: SegmentGenerator<'orders'>,
    // @ts-expect-error: another generator
    @InjectGenerator('orders') readonly users?: SegmentGenerator<'users'>,
    // @ts-expect-error: another generator, of the other kind
    @InjectGenerator('orders') readonly stamps?: SnowflakeGenerator<'users'>,
    // @ts-expect-error: no generator
    @InjectGenerator('orders') readonly text?: string,
    // @ts-expect-error: what is known of the name is too little
    @InjectGenerator(name) readonly some?: SegmentGenerator<'orders'>,
    // @ts-expect-error: a name is text
    @InjectGenerator(1) readonly numbered?: unknown,
  ) {}

  use(): unknown {
    return this.hidden
  }
}

export class Properties<T> {
  @InjectIds() readonly ids!: Ids
  @InjectGenerator('orders') readonly orders!: SegmentGenerator<'orders'>
  @InjectGenerator('orders') wide!: SegmentGenerator
  @InjectGenerator('events') readonly events!: SnowflakeGenerator<'events'>
  @InjectGenerator('orders') private readonly hidden!: SegmentGenerator<'orders'>
  // @ts-expect-error: another generator
  @InjectGenerator('orders') readonly users!: SegmentGenerator<'users'>
  // @ts-expect-error: no generator
  @InjectGenerator('orders') readonly count!: number
  readonly other!: T

  use(): unknown {
    return this.hidden
  }
}

/** Without decorators for parameters: the class says which. */
export class ByClass {
  constructor(readonly ids: Ids) {}
}

class Options implements MintIdOptionsFactory {
  async createMintIdOptions() {
    return { store: 'memory:', namespace: 'shop' }
  }
}

const config = defineConfig({ store: 'memory:', generators: { orders: {} } })

export function modules(): void {
  is<DynamicModule>()(MintIdModule.forRoot())
  MintIdModule.forRoot({ store: 'memory:', namespace: 'shop', isGlobal: false, waitForStore: true })
  MintIdModule.forRoot({ store: { reserve: () => ({ start: 1n, end: 2n }) } })
  MintIdModule.forRoot({ config, isGlobal: undefined })
  MintIdModule.forRootAsync({ useClass: Options })
  MintIdModule.forRootAsync({ useExisting: Options, imports: [TerminusModule], isGlobal: false })
  MintIdModule.forRootAsync({
    inject: ['URL', Options],
    useFactory: (store: string, options: Options) => ({ store, ...options.createMintIdOptions() }),
  })
  MintIdModule.forRootAsync({ config, useFactory: () => ({ store: 'memory:' }) })
  MintIdModule.forFeature('orders', { name: 'users', step: 10 })
  MintIdModule.forFeature({ name: 'users', strategy: 'segment', policy: 'fixed' })
  MintIdModule.forFeature({ name: 'events', strategy: 'snowflake', machine: 1 })
  MintIdModule.forFeature({ imports: [TerminusModule] }, 'orders')

  // @ts-expect-error: an unknown option
  MintIdModule.forRoot({ url: 'memory:' })
  // @ts-expect-error: what it gives is no options
  MintIdModule.forRootAsync({ useFactory: () => 'memory:' })
  // @ts-expect-error: it makes no options
  MintIdModule.forRootAsync({ useClass: Ids })
  // @ts-expect-error: a generator has a name
  MintIdModule.forFeature({ step: 10 })
  // @ts-expect-error: an option of the other kind
  MintIdModule.forFeature({ name: 'events', strategy: 'snowflake', step: 10 })
  // @ts-expect-error: there is no such kind
  MintIdModule.forFeature({ name: 'orders', strategy: 'random' })
  // @ts-expect-error: what leads to the root comes first
  MintIdModule.forFeature('orders', { imports: [TerminusModule] })
}

export function names(): void {
  // Nothing is registered here: see nest-registered.test-d.ts.
  is<string>()('' as GeneratorName)
  is<string>()(getGeneratorToken(name))
  is<string>()(getIdsToken())
}

export function pipes(): void {
  is<Id<'orders'> | null | undefined>()(new ParseIdPipe('orders').transform('1'))
  is<Id<string> | null | undefined>()(new ParseIdPipe().transform('1'))
  is<ParseIdPipe<'orders'>>()(new ParseIdPipe(new KvId('orders')))
  new ParseIdPipe('orders', { errorHttpStatusCode: 422, optional: true })
  new ParseIdPipe('orders', { exceptionFactory: (message) => new Error(message) })
  // @ts-expect-error: an unknown option
  new ParseIdPipe('orders', { status: 422 })
}

export function health(service: HealthCheckService, loaded: LoadedIds): void {
  const indicator = new MintIdHealthIndicator(createIds('memory:'))
  new MintIdHealthIndicator(loaded)
  const result: HealthIndicatorResult<'ids'> = indicator.isHealthy('ids')
  is<'up' | 'down'>()(indicator.isHealthy('ids').ids.status)
  const check: HealthIndicatorFunction = () => indicator.isHealthy('ids')
  service.check([check, () => result])
  // @ts-expect-error: another key
  indicator.isHealthy('ids').store
}
