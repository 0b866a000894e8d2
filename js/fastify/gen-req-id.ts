// Ids of requests. Fastify asks for one and does not wait, so none may fail and none may be late.

import { randomUUID } from 'node:crypto'
import type { GenReqIdOptions, IdSource, RawRequest } from '../../fastify.js'
import { checkNamed, hasMethods } from '../http/options.js'
import { HEADER_CHECKS, isWellFormed } from '../http/request-id.js'

const GENERATOR = {
  generator: {
    isValid: hasMethods('tryNext'),
    expected: 'expected a generator, such as ids.snowflake("requests")',
    isRequired: true,
  },
}

export function genReqId(
  generator: IdSource,
  options: GenReqIdOptions = {},
): (request: RawRequest) => string {
  checkNamed({ generator }, GENERATOR)
  checkNamed(options, HEADER_CHECKS)
  const { accept = isWellFormed } = options
  const header = options.header?.toLowerCase()
  return ({ headers }) => {
    const given = header === undefined ? undefined : headers[header]
    if (typeof given === 'string' && accept(given)) return given
    return newId(generator)
  }
}

/** A random one where there is none at hand: a request without an id is worse than one of two kinds. */
function newId(generator: IdSource): string {
  try {
    const id = generator.tryNext()
    if (id !== undefined) return String(id)
  } catch {
    // The generator is closed or used up, which those will tell who need its ids.
  }
  return randomUUID()
}
