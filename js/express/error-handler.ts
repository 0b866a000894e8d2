// Failures of mintid as answers; whatever else was thrown is left to those who come after.

import type { ErrorRequestHandler } from 'express'
import { answerTo } from '../http/answer.js'

export function errorHandler(): ErrorRequestHandler {
  // Express knows a handler of errors by its four parameters.
  return (error, _req, res, next) => {
    const answer = answerTo(error)
    // An answer that has begun can only be broken off, which Express does.
    if (answer === undefined || res.headersSent) {
      next(error)
      return
    }
    const { status, retryAfter, body } = answer
    if (retryAfter !== undefined) res.set('Retry-After', String(retryAfter))
    res.status(status).json(body)
  }
}
