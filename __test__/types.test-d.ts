// What the types promise, and what they refuse. Checked by `tsc`, never run.

import {
  connect,
  createIds,
  type Diagnosis,
  defineConfig,
  type Finding,
  type Id,
  type IdRange,
  Ids,
  type IdsOptions,
  type LayoutOptions,
  load,
  type MachineState,
  MintIdError,
  type MintIdErrorCode,
  type SegmentGenerator,
  type SegmentOptions,
  type SegmentStats,
  type SnowflakeGenerator,
  type SnowflakeOptions,
  type SnowflakeParts,
  type SnowflakeStats,
} from 'mintid'
import { is } from './support/types.js'

declare const name: string

export async function ids(): Promise<void> {
  const ids = createIds()
  is<Ids>()(ids)
  is<Ids>()(createIds('memory:', { namespace: 'shop', allowCreate: false, jump: undefined }))
  is<Ids>()(await connect('memory:'))
  is<string>()(ids.store)
  await using disposed = await connect()
  is<Ids>()(disposed)

  // @ts-expect-error: a URL is text
  createIds(new URL('memory:'))
  // @ts-expect-error: null is no URL
  createIds(null)
  // @ts-expect-error: an unknown option
  createIds('memory:', { nameSpace: 'shop' })
  // @ts-expect-error: counts are numbers
  createIds('memory:', { jump: 5n })
  // @ts-expect-error: stores come from createIds
  new Ids()
  // @ts-expect-error: the store's name is read-only
  ids.store = 'memory:'
}

export async function stores(pem: Uint8Array): Promise<void> {
  createIds('redis://localhost', { key: 'numbers', acceptLoss: true, identity: 'none' })
  createIds('redis://localhost', { username: 'app', password: 'secret', database: 1 })
  createIds('redis://localhost', { durability: 'none' })
  createIds('redis://localhost', { durability: 'disk' })
  createIds('redis://localhost', { durability: { replicas: 2 } })
  createIds('rediss://localhost', { tls: {} })
  createIds('rediss://localhost', { tls: { ca: pem, cert: 'pem', key: [pem, 'pem'] } })
  createIds('rediss://localhost', { tls: { servername: 'redis', ca: undefined } })
  const given: IdsOptions = { durability: undefined, tls: undefined, identity: undefined }
  const ids = createIds('redis://localhost', given)

  const { facts, findings }: Diagnosis = await ids.diagnose()
  is<Record<string, string>>()(facts)
  const [finding] = findings
  is<Finding | undefined>()(finding)
  is<'ok' | 'advice' | 'danger' | undefined>()(finding?.level)
  is<string | undefined>()(finding?.advice)

  // @ts-expect-error: there is no such proof
  createIds('redis://localhost', { durability: 'replicas' })
  // @ts-expect-error: how many?
  createIds('redis://localhost', { durability: {} })
  // @ts-expect-error: one or the other
  createIds('redis://localhost', { durability: { replicas: 1, disk: true } })
  // @ts-expect-error: counts are numbers
  createIds('redis://localhost', { durability: { replicas: '1' } })
  // @ts-expect-error: an identity is not made up
  createIds('redis://localhost', { identity: 'me' })
  // @ts-expect-error: databases have numbers
  createIds('redis://localhost', { database: '1' })
  // @ts-expect-error: a URL says whether there is TLS
  createIds('rediss://localhost', { tls: true })
  // @ts-expect-error: whom to trust is not left open
  createIds('rediss://localhost', { tls: { rejectUnauthorized: false } })
}

export async function brands(): Promise<void> {
  const orders = createIds().segment('orders')
  const bills = createIds().segment('bills')
  is<SegmentGenerator<'orders'>>()(orders)
  is<'orders'>()(orders.name)
  is<SegmentGenerator<string>>()(createIds().segment(name))

  let order: Id<'orders'> = await orders.next()
  const some: bigint = order
  const any: Id = order
  is<bigint>()(some)
  is<Id>()(any)
  const sum: bigint = order + 1n
  is<bigint>()(sum)

  // @ts-expect-error: an id of another generator
  order = await bills.next()
  // @ts-expect-error: a bigint that is no id
  order = 5n
  // @ts-expect-error: an id is no number
  const number: number = order
  is<number>()(number)
}

export async function methods(orders: SegmentGenerator<'orders'>): Promise<void> {
  is<Id<'orders'>>()(await orders.next())
  is<Id<'orders'> | undefined>()(orders.tryNext())
  is<Id<'orders'>>()(orders.nextSync())
  is<BigUint64Array<ArrayBuffer> & Iterable<Id<'orders'>>>()(await orders.nextBatch(10))
  is<IdRange<'orders'>>()(await orders.nextRange(10))
  is<BigUint64Array<ArrayBuffer>>()(await orders.fill(new BigUint64Array(10)))
  is<void>()(await orders.ready())
  is<void>()(await orders.ready({ count: undefined }))
  is<SegmentStats>()(orders.stats())
  is<number>()(orders.stats().issued)
  is<void>()(await orders.close())
  await using disposed = orders
  is<'orders'>()(disposed.name)

  for await (const id of orders) is<Id<'orders'>>()(id)
  const batch: Iterable<Id<'orders'>> = await orders.nextBatch(10)
  is<Iterable<Id<'orders'>>>()(batch)
  const { start, end } = await orders.nextRange(10)
  is<Id<'orders'>>()(start)
  is<Id<'orders'>>()(end)

  // @ts-expect-error: how many?
  orders.nextBatch()
  // @ts-expect-error: counts are numbers
  orders.nextBatch(10n)
  // @ts-expect-error: how many?
  orders.nextRange()
  // @ts-expect-error: shared arrays are refused
  orders.fill(new BigUint64Array(new SharedArrayBuffer(80)))
  // @ts-expect-error: signed arrays are refused
  orders.fill(new BigInt64Array(10))
  // @ts-expect-error: an array of bigints is refused
  orders.fill([0n, 0n])
  // @ts-expect-error: an unknown option
  orders.ready({ cuont: 10 })
  // @ts-expect-error: options are an object
  orders.ready(10)
  // @ts-expect-error: there may be none
  orders.tryNext() + 1n
  // @ts-expect-error: the name is read-only
  orders.name = 'orders'
}

export function options(ids: Ids): void {
  ids.segment('orders', {})
  ids.segment('orders', { step: 10, lookahead: 0, maxBatch: 1000, keep: 500 })
  ids.segment('orders', { policy: 'lookahead', initialOffset: 5n, max: 2 ** 31 - 1 })
  ids.segment('orders', { policy: 'fixed', step: 10, rangeTtl: 1000, reserveTimeout: 500 })
  ids.segment('orders', { policy: 'proportional', preload: 1000, stepMin: 1, stepMax: 10 })
  ids.segment('orders', { policy: 'doubling', fetchDuration: 1000, stepMin: 1, stepMax: 10 })
  ids.segment('orders', { step: undefined, policy: undefined, max: undefined })
  const kept: SegmentOptions = { step: 10 }
  ids.segment('orders', kept)

  // @ts-expect-error: a generator has a name
  ids.segment()
  // @ts-expect-error: which is text
  ids.segment(5)
  // @ts-expect-error: an unknown option
  ids.segment('orders', { stepp: 10 })
  // @ts-expect-error: an unknown policy
  ids.segment('orders', { policy: 'linear' })
  // @ts-expect-error: counts are numbers
  ids.segment('orders', { step: 10n })
  // @ts-expect-error: ids are bigints or numbers
  ids.segment('orders', { max: '100' })
  // @ts-expect-error: null is no value
  ids.segment('orders', { rangeTtl: null })
  // @ts-expect-error: fixed has no lookahead
  ids.segment('orders', { policy: 'fixed', lookahead: 1000 })
  // @ts-expect-error: proportional has no step
  ids.segment('orders', { policy: 'proportional', step: 10 })
  // @ts-expect-error: the default policy has no stepMax
  ids.segment('orders', { stepMax: 10 })
}

export async function snowflakes(ids: Ids): Promise<void> {
  const events = ids.snowflake('events')
  is<SnowflakeGenerator<'events'>>()(events)
  is<'events'>()(events.name)
  is<number | undefined>()(events.machine)
  is<Id<'events'>>()(await events.next())
  is<Id<'events'>>()(await events.next({ timeoutMs: 5, signal: AbortSignal.timeout(5) }))
  is<Id<'events'>>()(events.nextSync())
  is<Id<'events'> | undefined>()(events.tryNext())
  is<string>()(await events.nextText())
  is<BigUint64Array<ArrayBuffer> & Iterable<Id<'events'>>>()(await events.nextBatch(10))
  is<BigUint64Array<ArrayBuffer>>()(await events.fill(new BigUint64Array(10)))
  is<void>()(await events.ready({ timeoutMs: 1000 }))
  is<SnowflakeParts>()(events.parse(5n))
  is<SnowflakeParts>()(events.parse('5'))
  const { timestamp, machine, sequence } = events.parse(await events.next())
  is<Date>()(timestamp)
  is<number>()(machine)
  is<number>()(sequence)
  is<bigint>()(events.minIdAt(new Date()))
  is<bigint>()(events.maxIdAt(Date.now()))
  is<SnowflakeStats>()(events.stats())
  is<Date>()(events.describe().endsAt)
  is<'ms' | 's'>()(events.describe().layout.unit)
  is<Id<'events'>>()(events.id('5'))
  for await (const id of events) is<Id<'events'>>()(id)
  await using disposed = events
  is<'events'>()(disposed.name)
  is<MachineState[]>()(await ids.machines())
  is<boolean>()(await ids.freeMachine(7))
  events
    .on('leaseAcquired', ({ machine }) => is<number>()(machine))
    .on('leaseLost', ({ message }) => is<string>()(message))
    .off('clockBackwards', () => {})

  const layout: LayoutOptions = { timestampBits: 41, machineBits: 6, sequenceBits: 6 }
  const kept: SnowflakeOptions = { layout, machine: 7, firstStart: true }
  ids.snowflake('events', kept)
  ids.snowflake('events', { layout: 'jsSafe', machineRange: [0, 31] })
  ids.snowflake('events', { layout: { unit: 's', epoch: Date.UTC(2026, 0) } })
  ids.snowflake('events', { lease: { ttl: 10_000, heartbeat: 2_000 } })
  ids.snowflake('events', { machine: undefined, lease: undefined, layout: undefined })

  // @ts-expect-error: an id of another generator
  const order: Id<'orders'> = await events.next()
  is<Id<'orders'>>()(order)
  // @ts-expect-error: these ids are not dense
  events.nextRange(10)
  // @ts-expect-error: an unknown option
  ids.snowflake('events', { machin: 7 })
  // @ts-expect-error: an unknown option in a part
  ids.snowflake('events', { lease: { tll: 7 } })
  // @ts-expect-error: there is no such layout
  ids.snowflake('events', { layout: 'safe' })
  // @ts-expect-error: a range has two ends
  ids.snowflake('events', { machineRange: [0] })
  // @ts-expect-error: machine numbers are numbers
  ids.snowflake('events', { machine: 7n })
  // @ts-expect-error: a time is a Date or Unix ms
  events.minIdAt('2026-01-01')
  // @ts-expect-error: an id is no number
  events.parse(5)
  // @ts-expect-error: the machine number is the store's to give
  events.machine = 7
}

export function errors(error: unknown): void {
  if (!(error instanceof MintIdError)) return
  is<'MintIdError'>()(error.name)
  is<MintIdErrorCode>()(error.code)
  is<boolean>()(error.retryable)
  is<MintIdError | undefined>()(error.cause)
  const asError: Error = error
  is<Error>()(asError)

  // @ts-expect-error: codes have a prefix
  if (error.code === 'CLOSED') return
  // @ts-expect-error: there is no such code
  if (error.code === 'ERR_MINTID_CLOSE') return
  // @ts-expect-error: the code is read-only
  error.code = 'ERR_MINTID_CLOSED'
  // @ts-expect-error: errors come from the package
  new MintIdError('ERR_MINTID_CLOSED', 'closed')
}

export function everyCode(code: MintIdErrorCode): string {
  // A code that is added or taken away shows here, as in the programs that match on them.
  switch (code) {
    case 'ERR_MINTID_CONFIG_INVALID':
    case 'ERR_MINTID_NOT_CONNECTED':
    case 'ERR_MINTID_ID_INVALID':
    case 'ERR_MINTID_ID_UNSAFE':
    case 'ERR_MINTID_STORE_UNAVAILABLE':
    case 'ERR_MINTID_STORE_ERROR':
    case 'ERR_MINTID_STORE_WENT_BACK':
    case 'ERR_MINTID_SEGMENT_EMPTY':
    case 'ERR_MINTID_RANGE_UNAVAILABLE':
    case 'ERR_MINTID_RANGE_EXHAUSTED':
    case 'ERR_MINTID_RANGE_SEALED':
    case 'ERR_MINTID_RANGE_MISSING':
    case 'ERR_MINTID_LAYOUT_MISMATCH':
    case 'ERR_MINTID_CLOCK_BACKWARDS':
    case 'ERR_MINTID_TIMESTAMP_EXHAUSTED':
    case 'ERR_MINTID_MACHINE_IDS_EXHAUSTED':
    case 'ERR_MINTID_LEASE_LOST':
    case 'ERR_MINTID_LEASE_PENDING':
    case 'ERR_MINTID_CLOSED':
      return code
    default:
      return code satisfies never
  }
}

export async function configurations(): Promise<void> {
  const config = defineConfig({
    store: 'memory:',
    stores: { db: { url: 'redis://localhost', durability: 'disk' } },
    connectTimeout: 1000,
    generators: {
      orders: { step: 100 },
      users: { strategy: 'segment', store: 'db', policy: 'fixed' },
      events: { strategy: 'snowflake', machineRange: [0, 7] },
    },
  })
  const ids = load(config)
  is<SegmentGenerator<'orders'>>()(ids.get('orders'))
  is<SegmentGenerator<'users'>>()(ids.get('users'))
  is<SnowflakeGenerator<'events'>>()(ids.get('events'))
  is<Id<'events'>>()(await ids.get('events').next())
  is<SegmentGenerator<'bills'>>()(load({ generators: { bills: {} } }).get('bills'))
  await using disposed = load(config)
  await disposed.ready()
  is<boolean>()(disposed.health().ok)

  // @ts-expect-error: there is no such generator
  ids.get('order')
  // @ts-expect-error: of another brand
  const order: Id<'users'> = await ids.get('orders').next()
  // @ts-expect-error: segments have no machine number
  ids.get('orders').machine
  // @ts-expect-error: an unknown option
  defineConfig({ nameSpace: 'shop', generators: {} })
  // @ts-expect-error: an unknown strategy
  defineConfig({ generators: { orders: { strategy: 'periodic' } } })
  // @ts-expect-error: a count is a number
  defineConfig({ generators: { orders: { step: '5' } } })
  // @ts-expect-error: generators are due
  load({ store: 'memory:' })
  return void order
}
