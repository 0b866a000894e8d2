// An id for each request: the caller's own where it is well-formed, else a new one.

import type { RequestHandler } from 'express'
import type { RequestIdOptions } from '../../express.js'
import { checkNamed, hasMethods } from '../http/options.js'
import { HEADER_CHECKS, isWellFormed } from '../http/request-id.js'

const CHECKS = {
  generator: {
    isValid: hasMethods('nextText'),
    expected: 'expected a generator, such as ids.segment("requests")',
    isRequired: true,
  },
  ...HEADER_CHECKS,
  property: {
    isValid: (value: unknown) => typeof value === 'string' && value !== '',
    expected: 'expected the name of a property of requests',
  },
  setHeader: {
    isValid: (value: unknown) => typeof value === 'boolean',
    expected: 'expected true or false',
  },
}

export function requestId(options: RequestIdOptions): RequestHandler {
  checkNamed(options, CHECKS)
  const { generator, header = 'X-Request-Id', property = 'id' } = options
  const { setHeader = true, accept = isWellFormed } = options
  return async (req, res, next) => {
    try {
      const given = req.get(header)
      const isKept = given !== undefined && accept(given)
      const id = isKept ? given : await generator.nextText()
      Object.assign(req, { [property]: id })
      // While the id was waited for, somebody with less patience may have answered.
      if (setHeader && !res.headersSent) res.set(header, id)
    } catch (error) {
      // Not thrown: Express 4 does not look at promises.
      next(error)
      return
    }
    next()
  }
}
