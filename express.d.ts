// The public types of mintid/express, written by hand and the truth for both `import` and `require`.
//
// `Request` is not augmented: which property holds an id is an option, and a second declaration of
// `req.id` beside that of a logger would not compile. An application declares what it uses.

import type { IncomingMessage } from 'node:http'
import type { ErrorRequestHandler, NextFunction, Request, RequestHandler, Response } from 'express'
import type { CallOptions, Id } from './index.js'

/** Where ids of requests come from: `ids.segment(name)`, `ids.snowflake(name)`, a `KvId`. */
export interface TextSource {
  nextText(options?: CallOptions): Promise<string>
}

/** What reads the ids of one name: `ids.segment(name)`, `ids.snowflake(name)`, a `KvId`. */
export interface IdReader<Name extends string> {
  readonly name: Name
  id(value: bigint | string): Id<Name>
}

export interface RequestIdOptions {
  /** Where new ids come from. */
  generator: TextSource
  /** The header that may bring an id, and that tells it in the answer. Default `X-Request-Id`. */
  header?: string | undefined
  /** The property of the request that holds the id, as text. Default `id`. */
  property?: string | undefined
  /** Whether the answer tells the id. Default `true`. */
  setHeader?: boolean | undefined
  /**
   * Whether an id from outside is kept. Default those of 1 to 128 letters, digits and `_ . : = @ + / -`.
   */
  accept?: ((id: string) => boolean) | undefined
}

/**
 * Gives each request an id: the one in the header if it is well-formed, else a new one. A failure
 * goes to `next`.
 */
export declare function requestId(options: RequestIdOptions): RequestHandler

/** A replacer of `JSON.stringify`. */
export type JsonReplacer = (this: unknown, key: string, value: unknown) => unknown

/** Makes text of every bigint: `app.set('json replacer', jsonReplacer)`. */
export declare const jsonReplacer: JsonReplacer

/** Calls a replacer of your own first, and makes text of every bigint that it leaves. */
export declare function jsonReplacerAfter(replacer: JsonReplacer): JsonReplacer

/** Reads the ids of one parameter. */
export interface IdParam<Name extends string> {
  (req: Request, res: Response, next: NextFunction, value: string, param: string): void
  /** The id that a request has in its path. Throws `ERR_MINTID_ID_INVALID` if it has none. */
  of(req: IncomingMessage): Id<Name>
}

/**
 * Checks a parameter of paths, for `app.param('id', orderId)`, and gives the id to handlers, as
 * `orderId.of(req)`. What is no id goes to `next` as `ERR_MINTID_ID_INVALID`.
 */
export declare function idParam<const Name extends string>(generator: IdReader<Name>): IdParam<Name>

/**
 * Answers failures of mintid as JSON: 400 for what is no id, 503 with `Retry-After` where none can
 * be had at the moment, 500 for the rest. Other errors, and those after an answer has begun, go on.
 */
export declare function errorHandler(): ErrorRequestHandler
