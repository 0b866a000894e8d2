// Ids out of paths, queries and headers.

import { STATUS_CODES } from 'node:http'
import {
  type ArgumentMetadata,
  BadRequestException,
  HttpException,
  Injectable,
  type PipeTransform,
} from '@nestjs/common'
import type { Id } from '../../index.js'
import type { ParseIdPipeOptions } from '../../nest.js'
import { answerTo } from '../http/answer.js'
import { checkNamed, invalid } from '../http/options.js'
import { parseId } from '../index.js'

const BAD_REQUEST = 400
const CHECKS = {
  errorHttpStatusCode: {
    isValid: (value: unknown) => STATUS_CODES[value as number] !== undefined,
    expected: 'expected a status code of HTTP',
  },
  exceptionFactory: {
    isValid: (value: unknown) => typeof value === 'function',
    expected: 'expected a function that makes an exception of a message',
  },
  optional: {
    isValid: (value: unknown) => typeof value === 'boolean',
    expected: 'expected true or false',
  },
}

@Injectable()
export class ParseIdPipe<Name extends string = string>
  implements PipeTransform<unknown, Id<Name> | null | undefined>
{
  readonly #name: Name | undefined
  readonly #options: ParseIdPipeOptions

  constructor(generator?: Name | { readonly name: Name }, options: ParseIdPipeOptions = {}) {
    checkNamed(options, CHECKS)
    this.#name = nameOf(generator)
    this.#options = options
  }

  transform(value: unknown, { data }: Partial<ArgumentMetadata> = {}): Id<Name> | null | undefined {
    if (this.#options.optional && (value === undefined || value === null)) return value
    try {
      // Without a generator's name a message has that of the parameter.
      return parseId(this.#name ?? (data as Name | undefined) ?? ('id' as Name), value as string)
    } catch (error) {
      throw this.#refusal(error as Error)
    }
  }

  #refusal(error: Error): unknown {
    const { errorHttpStatusCode: statusCode = BAD_REQUEST, exceptionFactory } = this.#options
    if (exceptionFactory !== undefined) return exceptionFactory(error.message)
    const body = { ...answerTo(error)?.body, statusCode, error: STATUS_CODES[statusCode] }
    if (statusCode === BAD_REQUEST) return new BadRequestException(body)
    return new HttpException(body, statusCode)
  }
}

function nameOf<Name extends string>(
  generator: Name | { readonly name: Name } | undefined,
): Name | undefined {
  const name = typeof generator === 'object' ? generator?.name : generator
  if (typeof name === 'string' || generator === undefined) return name
  throw invalid('generator', generator, 'expected a generator, or its name')
}
