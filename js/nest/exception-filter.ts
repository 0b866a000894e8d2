// Our failures as answers over HTTP. All others, and other transports, are Nest's.

import { type ArgumentsHost, Catch, type ExceptionFilter, Inject, Logger } from '@nestjs/common'
import { HttpAdapterHost } from '@nestjs/core'
import { answerTo } from '../http/answer.js'
import { MintIdError } from '../index.js'

const logger = new Logger('MintIdExceptionFilter')
const INTERNAL_SERVER_ERROR = 500

@Catch(MintIdError)
export class MintIdExceptionFilter implements ExceptionFilter<MintIdError> {
  readonly #host: HttpAdapterHost

  constructor(@Inject(HttpAdapterHost) host: HttpAdapterHost) {
    this.#host = host
  }

  /** Without an answer from here Nest gives its own. */
  catch(error: MintIdError, host: ArgumentsHost): void {
    const answer = answerTo(error)
    if (host.getType() !== 'http' || answer === undefined) return
    const { status, retryAfter, body } = answer
    // Nobody is told of it elsewhere; that a store is away is an event.
    if (status === INTERNAL_SERVER_ERROR) logger.error(error)
    const { httpAdapter } = this.#host
    const response = host.getArgByIndex(1)
    if (httpAdapter.isHeadersSent(response)) {
      httpAdapter.end(response)
      return
    }
    if (retryAfter !== undefined) httpAdapter.setHeader(response, 'Retry-After', String(retryAfter))
    httpAdapter.reply(response, body, status)
  }
}
