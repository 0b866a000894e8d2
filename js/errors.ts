// One class for every failure, and the ways into it.

import { isNativeError } from 'node:util/types'
import type { MintIdErrorCode } from '../index.js'
import { errorTable } from './binding.js'

/** Whether each code may pass; asked for with the first failure. */
let codes: Map<string, boolean> | undefined

function retryableByCode(): Map<string, boolean> {
  codes ??= new Map(errorTable().map((row) => [row.code, row.retryable]))
  return codes
}

/** One error of a chain, as the addon tells it. */
interface Failure {
  code: string
  message: string
}

/** The stack of a call, taken when it begins to wait and written out only if it fails. */
export class Site {
  declare readonly stack: string

  /** Leaves out `callee` and what it called. */
  constructor(callee: (...args: never[]) => unknown) {
    Error.captureStackTrace(this, callee)
  }
}

export class MintIdError extends Error {
  readonly code: MintIdErrorCode
  readonly retryable: boolean
  declare readonly cause?: MintIdError

  static {
    // On the prototype, where Error has its own: no field that a test runner would print.
    Object.defineProperty(MintIdError.prototype, 'name', { value: 'MintIdError' })
  }

  constructor(code: MintIdErrorCode, message: string, cause?: MintIdError) {
    super(message, cause && { cause })
    this.code = code
    this.retryable = retryableByCode().get(code) ?? false
  }
}

/** The same failure as a caller at `site` sees it: an error of its own, with its own stack. */
export function errorAt(site: Site, { code, message, cause }: MintIdError): MintIdError {
  const own = new MintIdError(code, message, cause)
  const frames = site.stack.slice(site.stack.indexOf('\n'))
  Object.defineProperty(own, 'stack', {
    value: `${own.name}: ${own.message}${frames}`,
    configurable: true,
    writable: true,
  })
  return own
}

/** An option or argument that cannot be used. */
export function invalid(option: string, value: unknown, expected: string): MintIdError {
  return new MintIdError('ERR_MINTID_CONFIG_INVALID', `${option} = ${show(value)}: ${expected}`)
}

export function closed(name: string): MintIdError {
  return new MintIdError('ERR_MINTID_CLOSED', `"${name}" is closed`)
}

/** A rejection of the addon: a chain of failures, outermost first. */
export function rejected(reason: unknown): unknown {
  return Array.isArray(reason) ? ofChain(reason) : thrown(reason)
}

/** As `rejected`, for a call that the addon rejects in no other way. */
export function ofChain(chain: unknown): MintIdError {
  const told = Array.isArray(chain) ? (chain as Failure[]) : []
  const error = told.reduceRight<MintIdError | undefined>(
    (cause, { code, message }) => new MintIdError(code as MintIdErrorCode, message, cause),
    undefined,
  )
  return error ?? new MintIdError('ERR_MINTID_STORE_ERROR', String(chain))
}

/** What a synchronous call of the addon threw. What is none of our errors is passed on as it is. */
export function thrown(error: unknown): unknown {
  // By its kind, not its class: Jest runs this module in a context with an `Error` of its own.
  if (isNativeError(error) && 'code' in error && retryableByCode().has(String(error.code))) {
    return new MintIdError(error.code as MintIdErrorCode, error.message)
  }
  return error
}

/** What the addon answers, with its failures as our errors. */
export async function answered<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (reason) {
    throw rejected(reason)
  }
}

/** A synchronous call of the addon, with its failures as our errors. */
export function called<T>(call: () => T): T {
  try {
    return call()
  } catch (error) {
    throw thrown(error)
  }
}

/** A value in a message: short, on one line, and never a failure of its own. */
export function show(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value.length > 200 ? `${value.slice(0, 200)}…` : value)
    case 'bigint':
      return `${value}n`
    case 'function':
      return 'a function'
    case 'object':
      return value === null ? 'null' : describe(value)
    default:
      return String(value)
  }
}

function describe(value: object): string {
  return Array.isArray(value) ? 'an array' : `an object (${Object.prototype.toString.call(value)})`
}
