/// <reference lib="esnext.disposable" />

// The public types of mintid, written by hand and the truth for both `import` and `require`.
// Nothing here comes from `node:`, so that no types beside the language's own are needed.

declare const brand: unique symbol

/**
 * An id of the generator `Name`: a `bigint` that is no other generator's.
 *
 * Ids go over the wire as text, since JSON has no bigint: `String(id)`.
 */
export type Id<Name extends string = string> = bigint & { readonly [brand]: Name }

/** Options of a store and of everything on it. */
export interface IdsOptions {
  /** Keeps the generators of one application apart from another's in the same store. */
  namespace?: string | undefined
  /** Whether a generator that the store does not know may be created. Default `true`. */
  allowCreate?: boolean | undefined
  /** Whether a counter that went back is raised above all ids seen and served again. Default `true`. */
  repair?: boolean | undefined
  /** How far a counter that went back, or may have, is raised, at least. */
  jump?: number | undefined
  /** The Redis hash that holds the counters. Default `kvid`. */
  key?: string | undefined
  /** What Redis has to prove of a range before it is served. Default `none`. */
  durability?: 'none' | 'disk' | { replicas: number } | undefined
  /** Whether a Redis may be used that evicts any key when its memory is full. Default `false`. */
  acceptLoss?: boolean | undefined
  /** Whether a Redis has to tell who it is, so that its restarts are noticed. Default `server`. */
  identity?: 'server' | 'none' | undefined
  /** The user of Redis, where the URL does not name it. Default none. */
  username?: string | undefined
  /** The password of Redis, where it is not to stand in the URL. Default none. */
  password?: string | undefined
  /** The database of Redis by number, where the URL does not name it. Default 0. */
  database?: number | undefined
  /** How a Redis with TLS is known, and what it is shown. Default the authorities of the system. */
  tls?: TlsOptions | undefined
  /** How long `connect` and `ids.ready()` wait, in ms. Default 5,000. */
  connectTimeout?: number | undefined
  /** Whether an SQLite file may lie on a network file system. Default `false`. */
  allowNetworkFile?: boolean | undefined
  /** Where events are logged, such as a pino logger. Default nowhere. */
  logger?: Logger | undefined
}

/** TLS towards a store, as Node's `tls.connect` takes it. */
export interface TlsOptions {
  /** The authorities that may have issued the server's certificate. Default those of the system. */
  ca?: Pem | undefined
  /** The certificate of this client, together with `key`. */
  cert?: Pem | undefined
  /** Its private key. */
  key?: Pem | undefined
  /** The name that the server's certificate has to hold. Default the host of the URL. */
  servername?: string | undefined
}

/** Certificates or a key in PEM, as text or as bytes. */
export type Pem = string | Uint8Array | readonly (string | Uint8Array)[]

/** Options that every policy reads. */
export interface SegmentCommonOptions {
  /** The first id of a new generator, and a lower bound of every later one. Default 1. */
  initialOffset?: bigint | number | undefined
  /** The highest id. Default 2^63 − 2. */
  max?: bigint | number | undefined
  /** How many ids are kept at hand for synchronous callers. Default 0. */
  keep?: number | undefined
  /** How long a caller without an id waits, in ms. Default 3,000. */
  reserveTimeout?: number | undefined
  /** A segment held longer, in ms, is dropped. Default none. */
  rangeTtl?: number | undefined
}

/** The default: sizes follow the load, so that the ids at hand last for `lookahead`. */
export interface LookaheadOptions extends SegmentCommonOptions {
  policy?: 'lookahead' | undefined
  /** The smallest reservation and the unit of larger ones. Default 100. */
  step?: number | undefined
  /** How long the ids at hand should last, in ms; 0 reserves only when they are used up. Default 1,000. */
  lookahead?: number | undefined
  /** The largest reservation. Default max(`step` × 1000, 2^20). */
  maxBatch?: number | undefined
}

/** Sizes in proportion to the pace at which the last segment was used up. */
export interface ProportionalOptions extends SegmentCommonOptions {
  policy: 'proportional'
  /** How long a segment should last, in ms. Default 60,000. */
  preload?: number | undefined
  /** The smallest reservation. Default 1. */
  stepMin?: number | undefined
  /** The largest reservation. Default 1,000,000. */
  stepMax?: number | undefined
}

/** Sizes that double while segments are used up quickly, and halve while they are not. */
export interface DoublingOptions extends SegmentCommonOptions {
  policy: 'doubling'
  /** Segments used up sooner, in ms, double the size. Default 600,000. */
  fetchDuration?: number | undefined
  /** The smallest reservation. Default 1. */
  stepMin?: number | undefined
  /** The largest reservation. Default 1,000,000. */
  stepMax?: number | undefined
}

/** Always the same size. */
export interface FixedOptions extends SegmentCommonOptions {
  policy: 'fixed'
  /** The size of every reservation. Default 100. */
  step?: number | undefined
}

/** Options of a segment generator. What is left out matches whatever another handle has. */
export type SegmentOptions = LookaheadOptions | ProportionalOptions | DoublingOptions | FixedOptions

/** A run of ids, half-open: `start` is the first, `end` one past the last. */
export interface IdRange<Name extends string = string> {
  start: Id<Name>
  end: Id<Name>
}

/** What every call that may wait takes. */
export interface CallOptions {
  /** Ends the waiting when it is aborted; the call rejects with the signal's reason. */
  signal?: AbortSignal | undefined
  /** How long the call waits, in ms, if that is less than `reserveTimeout`. */
  timeoutMs?: number | undefined
}

/** What `describe()` tells: the options in force, ids as text. */
export interface SegmentDescription {
  name: string
  key: string
  store: string
  kind: 'segment'
  policy: 'lookahead' | 'proportional' | 'doubling' | 'fixed'
  initialOffset: string
  max: string
  keep: number
  reserveTimeout: number
  rangeTtl?: number
  step?: number
  lookahead?: number
  maxBatch?: number
  preload?: number
  fetchDuration?: number
  stepMin?: number
  stepMax?: number
}

/**
 * Options of Snowflake ids. All generators of one store and namespace share a machine number, and
 * with it these options: what is left out matches whatever another handle has.
 */
export interface SnowflakeOptions {
  /** Which bits of an id hold what. Default 41 bits of ms since 2020, 10 of machine, 12 of sequence. */
  layout?: LayoutOptions | 'jsSafe' | undefined
  /** A fixed machine number. Default any that is free. */
  machine?: number | undefined
  /** The lowest and the highest machine number to lease. Default all numbers of the layout. */
  machineRange?: readonly [lowest: number, highest: number] | undefined
  /** Whether an empty lease table is known to be new. Default `false`. */
  firstStart?: boolean | undefined
  /** How the machine number is leased. */
  lease?: LeaseOptions | undefined
  /** How far the clock may go back and be waited for, in ms. Default 100. */
  clockBackwardsMax?: number | undefined
  /** How long a caller without an id waits, in ms. Default 3,000. */
  reserveTimeout?: number | undefined
}

/** The bits of a Snowflake id, from high to low: time, machine, sequence; at most 63 in all. */
export interface LayoutOptions {
  /** How many bits hold the time. Default 41. */
  timestampBits?: number | undefined
  /** How many bits hold the machine number. Default 10. */
  machineBits?: number | undefined
  /** How many bits hold the sequence number within one tick. Default 12. */
  sequenceBits?: number | undefined
  /** How long a tick lasts. Default `ms`. */
  unit?: 'ms' | 's' | undefined
  /** When the first tick begins, in Unix ms whatever the unit. Default 1,577,836,800,000. */
  epoch?: number | undefined
}

/** How a machine number is leased, in ms; the same for all processes of a namespace. */
export interface LeaseOptions {
  /** How long a number stays taken after its holder was last heard of. Default 60,000. */
  ttl?: number | undefined
  /** How often a lease is renewed. Default a quarter of `ttl`. */
  heartbeat?: number | undefined
  /** How far this clock may be off the store's. Default 5,000. */
  maxClockSkew?: number | undefined
  /** How much longer than a lease claims wait for a table that may have lost something. Default 30,000. */
  failoverWindow?: number | undefined
  /** How long a number that another holds is waited for. Default `ttl` + 5,000. */
  claimTimeout?: number | undefined
}

/** What a Snowflake id was made of. */
export interface SnowflakeParts {
  /** When its tick began. */
  timestamp: Date
  /** The machine number. */
  machine: number
  /** The number within the tick. */
  sequence: number
}

/** What `describe()` of Snowflake ids tells: the options in force, and how far the layout goes. */
export interface SnowflakeDescription {
  name: string
  key: string
  store: string
  kind: 'snowflake'
  layout: {
    timestampBits: number
    machineBits: number
    sequenceBits: number
    unit: 'ms' | 's'
    epoch: number
  }
  machine?: number
  machineRange?: [lowest: number, highest: number]
  firstStart: boolean
  lease: {
    ttl: number
    heartbeat: number
    maxClockSkew: number
    failoverWindow: number
    claimTimeout: number
  }
  clockBackwardsMax: number
  reserveTimeout: number
  /** The last ms that an id can hold. */
  endsAt: Date
  /** From when on ids are above 2^53 − 1; absent if they never are. */
  passesSafeAt?: Date
}

/** What all events tell. */
export interface EventBase {
  /** What the store remembers the generator, or the lease table, under. */
  key: string
  /** The store, without its password. */
  store: string
}

/** The events of a generator, and of all generators of an `Ids`. Ids are told as text. */
export interface MintIdEvents {
  /** A segment `[start, end)` was reserved. */
  refill: EventBase & { start: string; end: string; elapsedMs: number }
  /** A reservation failed; ids in memory are served on. */
  refillFailed: EventBase & { code: MintIdErrorCode; message: string }
  /** A counter was raised by a leap: it went back, or a server restarted or was replaced. */
  jumped: EventBase & { from: string; to: string; reason: string }
  /** The store remembers less than this process has seen it grant. */
  storeWentBack: EventBase & { message: string }
  /** Four fifths of the way to `max` are used. */
  nearEnd: EventBase & { last: string; max: string }
  /** A counter was created, or the store itself was new. */
  created: EventBase & { what: 'generator' | 'store' }
  /** A machine number is held: Snowflake ids are minted under it. */
  leaseAcquired: EventBase & { machine: number }
  /** A machine number is held no longer; another is being claimed. */
  leaseLost: EventBase & { machine: number; message: string }
  /** The clock stands further back than `clockBackwardsMax`. */
  clockBackwards: EventBase & { message: string }
  /** A handle was closed. */
  close: EventBase
}

/** What happens in the background. A listener that throws harms nobody. */
export interface MintIdEmitter {
  on<E extends keyof MintIdEvents>(event: E, listener: (told: MintIdEvents[E]) => void): this
  once<E extends keyof MintIdEvents>(event: E, listener: (told: MintIdEvents[E]) => void): this
  off<E extends keyof MintIdEvents>(event: E, listener: (told: MintIdEvents[E]) => void): this
}

/** How a generator is. */
export interface GeneratorHealth {
  name: string
  /** Ids in memory; 0 for Snowflake ids, which are made when they are asked for. */
  remaining: number
  /** How long the last reservation took, in ms; absent before the first. */
  lastRefillMs?: number
  /** The lease of Snowflake ids; absent while no machine number is held. */
  lease?: {
    machine: number
    /** How long it lasts without a renewal, in ms. */
    remainingMs: number
  }
}

/** How a store and its generators are: strings and numbers, fit for a health endpoint. */
export interface Health {
  /** Whether no generator's last reservation failed, and no machine number is lost. */
  ok: boolean
  store: string
  generators: GeneratorHealth[]
}

/** What a store is like, and whether counters are safe in it. */
export interface Diagnosis {
  /** What was found, by name, such as `role` and `persistence`. */
  facts: Record<string, string>
  /** What that means. */
  findings: Finding[]
}

/** Something about a store that is well or not. */
export interface Finding {
  /** `danger` where ids may be lost or come twice, `advice` where something could be better. */
  level: 'ok' | 'advice' | 'danger'
  what: string
  /** What to change; absent where there is nothing to. */
  advice?: string
}

/** The part of the Standard Schema interface that validators look for. */
export interface IdSchema<Name extends string> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'mintid'
    readonly validate: (
      value: unknown,
    ) => { readonly value: Id<Name> } | { readonly issues: readonly { readonly message: string }[] }
    readonly types?: { readonly input: bigint | string; readonly output: Id<Name> } | undefined
  }
}

/** What a generator has done so far, in this process. */
export interface SegmentStats {
  /** Ids handed out. */
  issued: number
  /** Ids granted by the store. */
  reserved: number
  /** Ids granted and lost: dropped segments, failed batches, blocks of realms that ended. */
  wasted: number
  /** Reservations granted: round trips to the store. */
  refills: number
  /** Reservations that failed. */
  failures: number
  /** Callers that found no id in memory and waited. */
  waits: number
  /** How many ids the next reservation would ask for. */
  step: number
  /** Ids in memory. */
  remaining: number
  /** Ids handed out per second, lately. */
  ratePerSecond: number
}

/** A handle on a dense counter: every handle of one name on one store serves the same ids. */
export interface SegmentGenerator<Name extends string = string>
  extends AsyncIterable<Id<Name>>,
    AsyncDisposable,
    MintIdEmitter {
  /** The name. */
  readonly name: Name
  /** The next id: from memory, or after a refill, within `reserveTimeout`. */
  next(options?: CallOptions): Promise<Id<Name>>
  /** The next id as decimal text, the form in which ids go over the wire. */
  nextText(options?: CallOptions): Promise<string>
  /** The next id if one is in memory; otherwise `undefined`, and a refill is started. */
  tryNext(): Id<Name> | undefined
  /** The next id if one is in memory; otherwise throws `ERR_MINTID_SEGMENT_EMPTY`. */
  nextSync(): Id<Name>
  /** The next `n` ids, in growing order, 1 to 2^24 at once. */
  nextBatch(
    n: number,
    options?: CallOptions,
  ): Promise<BigUint64Array<ArrayBuffer> & Iterable<Id<Name>>>
  /** Fills an array of the caller's own; it holds zeros where the call fails. */
  fill<A extends BigUint64Array<ArrayBuffer>>(array: A, options?: CallOptions): Promise<A>
  /** `size` ids in one run, reserved for this call alone: for bulk loads. */
  nextRange(size: number, options?: CallOptions): Promise<IdRange<Name>>
  /** Waits until `count` ids (default 1) are in memory. */
  ready(options?: CallOptions & { count?: number | undefined }): Promise<void>
  /** What has been done so far, in this process. */
  stats(): SegmentStats
  /** The options in force. */
  describe(): SegmentDescription
  /** Checks a value from outside: digits only, or a bigint, below 2^63. */
  id(value: bigint | string): Id<Name>
  /** The same check for validators that know Standard Schema. */
  readonly schema: IdSchema<Name>
  /** Ends this handle at once and rejects its waiting calls. Fine to call twice. */
  close(): Promise<void>
}

/** What the Snowflake ids of one store and namespace have done so far, in this process. */
export interface SnowflakeStats {
  /** Ids handed out, under all names. */
  issued: number
  /** Ids drawn and never handed out: their time had passed, or a batch failed. */
  wasted: number
  /** Callers that waited: for a machine number, the next tick or the clock. */
  waits: number
  /** Machine numbers leased. */
  leases: number
  /** Machine numbers lost. */
  losses: number
  /** Claims and renewals that failed. */
  failures: number
}

/**
 * A handle on Snowflake ids: every handle on one store and namespace, whatever its name, shares one
 * machine number and one sequence, so that no two of their ids are equal.
 */
export interface SnowflakeGenerator<Name extends string = string>
  extends AsyncIterable<Id<Name>>,
    AsyncDisposable,
    MintIdEmitter {
  /** The name. */
  readonly name: Name
  /** The machine number, while one is held. */
  readonly machine: number | undefined
  /** The next id. Waits for the next tick, for a machine number and for a clock that went back a little. */
  next(options?: CallOptions): Promise<Id<Name>>
  /** The next id as decimal text, the form in which ids go over the wire. */
  nextText(options?: CallOptions): Promise<string>
  /** The next id if there is one at this moment. */
  tryNext(): Id<Name> | undefined
  /** The next id, for which it looks at the clock for 1 ms; throws if there is none. */
  nextSync(): Id<Name>
  /** The next `n` ids, in growing order, 1 to 2^24 at once. */
  nextBatch(
    n: number,
    options?: CallOptions,
  ): Promise<BigUint64Array<ArrayBuffer> & Iterable<Id<Name>>>
  /** Fills an array of the caller's own; it holds zeros where the call fails. */
  fill<A extends BigUint64Array<ArrayBuffer>>(array: A, options?: CallOptions): Promise<A>
  /** Waits until a machine number is held, as long as that takes. */
  ready(options?: CallOptions): Promise<void>
  /** What an id was made of. */
  parse(id: bigint | string): SnowflakeParts
  /** The lowest id that can hold a time (Unix ms, if it is a number): `id >= minIdAt(from)`. */
  minIdAt(date: Date | number): bigint
  /** The highest id that can hold a time: `id <= maxIdAt(to)`. */
  maxIdAt(date: Date | number): bigint
  /** What has been done so far, in this process. */
  stats(): SnowflakeStats
  /** The options in force, and when the layout ends. */
  describe(): SnowflakeDescription
  /** Checks a value from outside: digits only, or a bigint, below 2^63. */
  id(value: bigint | string): Id<Name>
  /** The same check for validators that know Standard Schema. */
  readonly schema: IdSchema<Name>
  /** Ends this handle at once; the machine number is given back with the last one. Fine to call twice. */
  close(): Promise<void>
}

/**
 * A store of the user's own. Bounds are bigint or safe integers; ranges are half-open.
 *
 * An error it throws whose `code` is `ERR_MINTID_RANGE_SEALED`, `ERR_MINTID_RANGE_EXHAUSTED` or
 * `ERR_MINTID_RANGE_MISSING` is final: callers are told with that code. After any other error the
 * store is asked again.
 */
export interface RangeStore {
  /** What messages call it. */
  readonly name?: string
  /**
   * Grants the next `size` ids of `key`, or fewer, and fails where they would pass 2^63 − 2. The
   * first id of a new key is `initialOffset`, and none below it is ever granted.
   */
  reserve(key: string, size: bigint, initialOffset: bigint): Answer<ReservedRange>
  /**
   * Raises the counter of `key` to at least `value`, so that the next id is above it. Without it a
   * store that went back serves no id until its owner has raised the counter.
   */
  raise?(key: string, value: bigint): Answer<void>
  /** Makes `key` grant no more ids; `true` if this call did it. */
  seal?(key: string): Answer<boolean | undefined>
  /** Lets go of what the store holds. */
  close?(): Answer<void>
}

/** A value, or a promise of one. */
export type Answer<T> = T | PromiseLike<T>

/** A granted run of ids, half-open. */
export interface ReservedRange {
  start: bigint | number
  end: bigint | number
}

/** What a store remembers of a key. */
export interface CounterState {
  key: string
  /** The highest id granted; absent for a key that was sealed before it was used. */
  value?: bigint
  /** Whether it grants no more ids. */
  sealed: boolean
}

/** What a store remembers of a machine number. Times are Unix ms, 0 where they are not known. */
export interface MachineState {
  machine: number
  /** Who holds it, or did last; empty once it was given back. */
  owner: string
  /** Until when it is held, unless it is renewed. */
  deadline: number
  /** The highest time that its holders may have put into an id. */
  ceiling: number
  isHeld: boolean
  /** Whether its holder is a client that keeps no such records. */
  isForeign: boolean
}

/** Where events are logged: pino's shape. */
export interface Logger {
  debug(details: object, message: string): void
  info(details: object, message: string): void
  warn(details: object, message: string): void
  error(details: object, message: string): void
}

/** A store, and the generators on it. */
export declare class Ids implements AsyncDisposable, MintIdEmitter {
  private constructor()
  /** The store's name, without its password. */
  readonly store: string
  /** The dense counter `name`. */
  segment<const Name extends string>(name: Name, options?: SegmentOptions): SegmentGenerator<Name>
  /** Snowflake ids: a time, a machine number leased from the store, and a sequence number. */
  snowflake<const Name extends string>(
    name: Name,
    options?: SnowflakeOptions,
  ): SnowflakeGenerator<Name>
  /** Waits until the store answers, at most `connectTimeout`. */
  ready(): Promise<void>
  /** How the store and its generators are. */
  health(): Health
  /** Looks at the store and judges it, as the command `mintid doctor` does. */
  diagnose(): Promise<Diagnosis>
  /** The counters of this namespace whose names begin with `prefix`. */
  list(prefix?: string): Promise<CounterState[]>
  /** Raises a counter to at least `value`, so that the next id is above it; `true` if it was lower. */
  floor(name: string, value: bigint | string): Promise<boolean>
  /** The machine numbers of this namespace that are or were in use. */
  machines(): Promise<MachineState[]>
  /**
   * Frees a machine number whose holder is known to be dead; `true` if it was held. A holder that
   * lives on loses it, and repeats no id of the next one.
   */
  freeMachine(machine: number): Promise<boolean>
  on<E extends keyof MintIdEvents>(event: E, listener: (told: MintIdEvents[E]) => void): this
  once<E extends keyof MintIdEvents>(event: E, listener: (told: MintIdEvents[E]) => void): this
  off<E extends keyof MintIdEvents>(event: E, listener: (told: MintIdEvents[E]) => void): this
  /** Closes every generator made here and lets go of the store. Fine to call twice. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * The generators of the store at a URL, or at the environment's `MINTID_URL`: `sqlite:PATH`,
 * `redis://HOST:PORT`, `memory:`, `memory:NAME`; or of a store of the user's own.
 *
 * Synchronous, connects at first use, and never throws because a store is away.
 */
export declare function createIds(store?: string | RangeStore, options?: IdsOptions): Ids

/** `createIds`, and waits until the store answers. */
export declare function connect(store?: string | RangeStore, options?: IdsOptions): Promise<Ids>

/**
 * Makes a store the one that every `KvId` of the process uses, in all its threads. Call it once, at
 * start; `await init(url).ready()` also waits until the store answers.
 */
export declare function init(url?: string, options?: IdsOptions): Ids

/** A generator of a configuration. */
export type GeneratorConfig = SegmentConfig | SnowflakeConfig

/** A dense counter of a configuration: the kind of a generator that names none. */
export type SegmentConfig = SegmentOptions & {
  strategy?: 'segment' | undefined
  /** Which of `stores` it is on. Default `store`. */
  store?: string | undefined
}

/** Snowflake ids of a configuration. */
export interface SnowflakeConfig extends SnowflakeOptions {
  strategy: 'snowflake'
  /** Which of `stores` they are on. Default `store`. */
  store?: string | undefined
}

/** The generators of a configuration, by name. */
export interface GeneratorConfigs {
  readonly [name: string]: GeneratorConfig
}

/** A store with options of its own. */
export interface StoreConfig extends IdsOptions {
  url: string
}

/** Stores and generators as one object. The options are those of every store. */
export interface MintIdConfig<G extends GeneratorConfigs = GeneratorConfigs> extends IdsOptions {
  /** The store of generators that name none. Default the environment's `MINTID_URL`. */
  store?: string | RangeStore | StoreConfig | undefined
  /** Other stores, by the names that generators call them. */
  stores?: { readonly [name: string]: string | RangeStore | StoreConfig } | undefined
  /** The generators, by name. */
  generators: G
}

/** The generator that a configuration has under a name. */
export type GeneratorOf<
  G extends GeneratorConfigs,
  Name extends keyof G & string,
> = G[Name] extends {
  strategy: 'snowflake'
}
  ? SnowflakeGenerator<Name>
  : SegmentGenerator<Name>

/** What `load` gives: the generators of a configuration, and all its stores as one. */
export declare class LoadedIds<G extends GeneratorConfigs = GeneratorConfigs>
  implements AsyncDisposable, MintIdEmitter
{
  private constructor()
  /** The generator of a name. */
  get<const Name extends keyof G & string>(name: Name): GeneratorOf<G, Name>
  /** Waits until every store answers, each at most its `connectTimeout`. */
  ready(): Promise<void>
  /** How all stores and generators are. */
  health(): Health
  on<E extends keyof MintIdEvents>(event: E, listener: (told: MintIdEvents[E]) => void): this
  once<E extends keyof MintIdEvents>(event: E, listener: (told: MintIdEvents[E]) => void): this
  off<E extends keyof MintIdEvents>(event: E, listener: (told: MintIdEvents[E]) => void): this
  /** Closes every generator and lets go of the stores. Fine to call twice. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** A configuration with its types: the names of its generators, and of which kind each is. */
export declare function defineConfig<const G extends GeneratorConfigs>(
  config: MintIdConfig<G>,
): MintIdConfig<G>

/**
 * Makes the generators of a configuration. Synchronous, connects at first use.
 *
 * Throws `ERR_MINTID_CONFIG_INVALID` with everything that is wrong, each with its path.
 */
export declare function load<const G extends GeneratorConfigs>(
  config: MintIdConfig<G>,
): LoadedIds<G>

/** Options of a `KvId`: `proportional` sizes unless another policy is named. */
export type KvIdOptions =
  | (Omit<ProportionalOptions, 'policy'> & { policy?: 'proportional' | undefined })
  | (LookaheadOptions & { policy: 'lookahead' })
  | DoublingOptions
  | FixedOptions

/** A dense counter as a constant: it may be made long before `init` gives the process a store. */
export declare class KvId<const Name extends string> {
  constructor(name: Name, options?: KvIdOptions)
}
export interface KvId<Name extends string> extends SegmentGenerator<Name> {}

/**
 * The id that `text` says: digits only (no sign, space, `0x` or leading zero), below 2^63.
 *
 * Throws `ERR_MINTID_ID_INVALID`.
 */
export declare function parseId<const Name extends string>(name: Name, text: string): Id<Name>

/** The id as a number. Throws `ERR_MINTID_ID_UNSAFE` beyond 2^53 − 1. */
export declare function toSafeNumber(id: bigint): number

/** Ids as JSON Schema, and so in OpenAPI: text of digits. */
export declare const idJsonSchema: {
  readonly type: 'string'
  readonly pattern: string
  readonly maxLength: number
  readonly description: string
  readonly examples: readonly string[]
}

/** What a store of the user's own got wrong. */
export interface BrokenInvariant {
  /**
   * `S1` to `S7`, as the documentation of stores numbers them; `keys` where two keys were taken for
   * one; `client` where `makeStore` gave no store.
   */
  invariant: string
  /** What was seen. */
  what: string
}

/**
 * Runs the whole contract of stores on one of the user's own. `makeStore` gives another client of
 * the same store at each call, and each is closed in the end. Resolves to what is broken: an empty
 * array for a good store. A store that takes longer than 3 s for an answer is judged no further.
 *
 * It works on keys of its own, `contract-…`, and leaves them in the store.
 */
export declare function verifyRangeStore(makeStore: () => RangeStore): Promise<BrokenInvariant[]>

/** The codes of all failures. */
export type MintIdErrorCode =
  | 'ERR_MINTID_CONFIG_INVALID'
  | 'ERR_MINTID_NOT_CONNECTED'
  | 'ERR_MINTID_STORE_UNAVAILABLE'
  | 'ERR_MINTID_STORE_ERROR'
  | 'ERR_MINTID_STORE_WENT_BACK'
  | 'ERR_MINTID_SEGMENT_EMPTY'
  | 'ERR_MINTID_RANGE_UNAVAILABLE'
  | 'ERR_MINTID_RANGE_EXHAUSTED'
  | 'ERR_MINTID_RANGE_SEALED'
  | 'ERR_MINTID_RANGE_MISSING'
  | 'ERR_MINTID_LAYOUT_MISMATCH'
  | 'ERR_MINTID_CLOCK_BACKWARDS'
  | 'ERR_MINTID_TIMESTAMP_EXHAUSTED'
  | 'ERR_MINTID_MACHINE_IDS_EXHAUSTED'
  | 'ERR_MINTID_LEASE_LOST'
  | 'ERR_MINTID_LEASE_PENDING'
  | 'ERR_MINTID_ID_INVALID'
  | 'ERR_MINTID_ID_UNSAFE'
  | 'ERR_MINTID_CLOSED'

/** Every failure of mintid. Match on `code`, not on the class or the message. */
export declare class MintIdError extends Error {
  private constructor()
  readonly name: 'MintIdError'
  readonly code: MintIdErrorCode
  /** Whether the same call may succeed later. */
  readonly retryable: boolean
  readonly cause?: MintIdError
}
