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
  /** How far a counter that went back is raised, at least. */
  jump?: number | undefined
  /** How long `connect` and `ids.ready()` wait, in ms. Default 5,000. */
  connectTimeout?: number | undefined
  /** Whether an SQLite file may lie on a network file system. Default `false`. */
  allowNetworkFile?: boolean | undefined
}

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
    AsyncDisposable {
  /** The name. */
  readonly name: Name
  /** The next id: from memory, or after a refill, within `reserveTimeout`. */
  next(): Promise<Id<Name>>
  /** The next id if one is in memory; otherwise `undefined`, and a refill is started. */
  tryNext(): Id<Name> | undefined
  /** The next id if one is in memory; otherwise throws `ERR_MINTID_SEGMENT_EMPTY`. */
  nextSync(): Id<Name>
  /** The next `n` ids, in growing order, 1 to 2^24 at once. */
  nextBatch(n: number): Promise<BigUint64Array<ArrayBuffer> & Iterable<Id<Name>>>
  /** Fills an array of the caller's own; it holds zeros where the call fails. */
  fill<A extends BigUint64Array<ArrayBuffer>>(array: A): Promise<A>
  /** `size` ids in one run, reserved for this call alone: for bulk loads. */
  nextRange(size: number): Promise<IdRange<Name>>
  /** Waits until `count` ids (default 1) are in memory. */
  ready(options?: { count?: number | undefined }): Promise<void>
  /** What has been done so far, in this process. */
  stats(): SegmentStats
  /** Ends this handle at once and rejects its waiting calls. Fine to call twice. */
  close(): Promise<void>
}

/** A store, and the generators on it. */
export declare class Ids implements AsyncDisposable {
  private constructor()
  /** The store's name, without its password. */
  readonly store: string
  /** The dense counter `name`. */
  segment<const Name extends string>(name: Name, options?: SegmentOptions): SegmentGenerator<Name>
  /** Waits until the store answers, at most `connectTimeout`. */
  ready(): Promise<void>
  /** Closes every generator made here and lets go of the store. Fine to call twice. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * The generators of the store at `url`, or at the environment's `MINTID_URL`: `memory:`,
 * `memory:NAME`, `sqlite:PATH`.
 *
 * Synchronous, connects at first use, and never throws because a store is away.
 */
export declare function createIds(url?: string, options?: IdsOptions): Ids

/** `createIds`, and waits until the store answers. */
export declare function connect(url?: string, options?: IdsOptions): Promise<Ids>

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
