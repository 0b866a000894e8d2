// Ids on their way in, and the only way to a number.

import type { Id, IdSchema } from '../index.js'
import { MintIdError, show } from './errors.js'

/** Ids are signed 64-bit integers that are not negative. */
const END = 2n ** 63n
const DIGITS = /^(?:0|[1-9][0-9]{0,18})$/
const EXPECTED =
  'expected a bigint or decimal text (digits only, no sign, space, 0x or leading zero) below 2^63'

/** The id that a value from outside stands for. */
export function checkId<Name extends string>(name: Name, value: unknown): Id<Name> {
  const id = readId(value)
  if (id !== undefined) return id as Id<Name>
  throw new MintIdError('ERR_MINTID_ID_INVALID', refusal(name, value))
}

function refusal(name: string, value: unknown): string {
  return `${show(value)} is no id of "${name}": ${EXPECTED}`
}

function readId(value: unknown): bigint | undefined {
  // `BigInt('')` is 0n and `BigInt(' 12 ')` is 12n, so a text is looked at before.
  const id = typeof value === 'string' && DIGITS.test(value) ? BigInt(value) : value
  return typeof id === 'bigint' && id >= 0n && id < END ? id : undefined
}

/** A bigint has its own way in, `generator.id`, and a number may have been rounded already. */
export function parseId<const Name extends string>(name: Name, text: string): Id<Name> {
  if (typeof text === 'string') return checkId(name, text)
  throw new MintIdError('ERR_MINTID_ID_INVALID', refusal(name, text))
}

export function toSafeNumber(id: bigint): number {
  if (typeof id !== 'bigint') {
    throw new MintIdError('ERR_MINTID_ID_INVALID', `${show(id)} is no id: expected a bigint`)
  }
  if (id > BigInt(Number.MAX_SAFE_INTEGER) || id < 0n) {
    const message = `${id} is beyond 2^53 - 1 and would be rounded: keep it a bigint, or send it as text`
    throw new MintIdError('ERR_MINTID_ID_UNSAFE', message)
  }
  return Number(id)
}

export function idSchema<Name extends string>(name: Name): IdSchema<Name> {
  return {
    '~standard': {
      version: 1,
      vendor: 'mintid',
      validate: (value) => {
        const id = readId(value)
        if (id !== undefined) return { value: id as Id<Name> }
        return { issues: [{ message: refusal(name, value) }] }
      },
    },
  }
}

/** Where nothing may be refused that is an id: the bound of 2^63 is left to `parseId`. */
export const idJsonSchema = Object.freeze({
  type: 'string',
  pattern: DIGITS.source,
  maxLength: 19,
  description: 'A 64-bit id as decimal text: too large for a JSON number',
  examples: Object.freeze(['42', '9223372036854775806']),
} as const)
