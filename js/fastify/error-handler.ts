// Failures of mintid as answers; whatever else was thrown goes to the handler above.

import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { answerTo } from '../http/answer.js'

const LEAST_OWN_FAULT = 500

export function errorHandler(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const answer = answerTo(error)
  if (answer === undefined) {
    // Within a handler of errors that means the next one.
    reply.send(error)
    return
  }
  const { status, retryAfter, body } = answer
  // As Fastify's own handler does, in whose place this one is.
  const level = status < LEAST_OWN_FAULT ? 'info' : 'error'
  request.log[level]({ err: error }, error.message)
  if (retryAfter !== undefined) reply.header('Retry-After', String(retryAfter))
  reply.code(status).send(body)
}
