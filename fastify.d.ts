// The public types of mintid/fastify, written by hand and the truth for both `import` and `require`.

import type {
  FastifyError,
  FastifyPluginAsync,
  FastifyReply,
  FastifyRequest,
  preSerializationAsyncHookHandler,
} from 'fastify'
import type { Id, Ids, IdsOptions, RangeStore } from './index.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** The store of the plugin `mintid`. */
    ids: Ids
  }
}

/** Makes generators, each of which becomes a property of the application. */
export type MakeGenerators = (ids: Ids) => Record<string, unknown>

/** A store to be made and closed with the application, or one that is there and left alone. */
export type MintIdPluginOptions =
  | (IdsOptions & {
      ids?: undefined
      /** As `createIds` takes it. Default the environment's `MINTID_URL`. */
      store?: string | RangeStore | undefined
      generators?: MakeGenerators | undefined
    })
  | { ids: Ids; store?: undefined; generators?: MakeGenerators | undefined }

/** The plugin: `app.ids`, and a property for each of `generators`. */
export type MintIdPlugin = FastifyPluginAsync<MintIdPluginOptions>

/**
 * Decorates the application with `ids` and with generators, and closes with it what it made: after
 * the last answer, and within 2 s if the store is away.
 */
export declare const mintid: MintIdPlugin
export default mintid

/**
 * Answers failures of mintid, for `app.setErrorHandler(errorHandler)`: 400 for what is no id, 503
 * with `Retry-After` where none can be had at the moment, 500 for the rest. Other errors go to the
 * handler above.
 */
export declare function errorHandler(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): void

/** Where ids of requests come from: `ids.segment(name)`, `ids.snowflake(name)`, a `KvId`. */
export interface IdSource {
  tryNext(): Id | undefined
}

export interface GenReqIdOptions {
  /** The header that may bring an id. Default none. */
  header?: string | undefined
  /**
   * Whether an id from outside is kept. Default those of 1 to 128 letters, digits and `_ . : = @ + / -`.
   */
  accept?: ((id: string) => boolean) | undefined
}

/** The part of Node's requests that is looked at. */
export interface RawRequest {
  headers: { [name: string]: string | string[] | undefined }
}

/**
 * A function for the server's option `genReqId`. Gives an id from memory, and a random UUID where
 * there is none at hand.
 */
export declare function genReqId(
  generator: IdSource,
  options?: GenReqIdOptions,
): (request: RawRequest) => string

/**
 * Makes text of every bigint in arrays and plain objects, before any schema sees them:
 * `app.addHook('preSerialization', idsAsText)`.
 */
export declare const idsAsText: preSerializationAsyncHookHandler
