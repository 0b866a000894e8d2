// From flags to the options of a store. What the library checks is left to it.

import { readFileSync } from 'node:fs'
import type { IdsOptions, TlsOptions } from '../../index.js'
import { type Given, textOf } from './arguments.js'
import type { FlagName } from './flags.js'
import { UsageError } from './usage.js'

/** The options that these flags stand for. */
export function optionsOf(given: Given): IdsOptions {
  return {
    namespace: textOf(given, 'namespace'),
    allowCreate: flagOf(given, 'allow-create'),
    key: textOf(given, 'key'),
    durability: durabilityOf(given),
    acceptLoss: given.flags.has('accept-loss') || undefined,
    identity: textOf(given, 'identity') as IdsOptions['identity'],
    tls: tlsOf(given),
  }
}

function flagOf(given: Given, name: FlagName): boolean | undefined {
  const text = textOf(given, name)
  if (text === undefined) return undefined
  if (text !== 'true' && text !== 'false') throw wrong(name, text, 'expected true or false')
  return text === 'true'
}

/** In one word, as messages have it: an object cannot be typed. */
function durabilityOf(given: Given): IdsOptions['durability'] {
  const text = textOf(given, 'durability')
  if (text === undefined || text === 'none' || text === 'disk') return text
  const [, digits] = /^replicas:([1-9]\d?|100)$/.exec(text) ?? []
  if (digits !== undefined) return { replicas: Number(digits) }
  throw wrong('durability', text, 'expected none, disk or replicas:N, with N from 1 to 100')
}

function tlsOf(given: Given): TlsOptions | undefined {
  const tls = {
    ca: contentOf(given, 'tls-ca'),
    cert: contentOf(given, 'tls-cert'),
    key: contentOf(given, 'tls-key'),
    servername: textOf(given, 'tls-servername'),
  }
  return Object.values(tls).every((part) => part === undefined) ? undefined : tls
}

function contentOf(given: Given, name: FlagName): Uint8Array | undefined {
  const file = textOf(given, name)
  if (file === undefined) return undefined
  try {
    return readFileSync(file)
  } catch (error) {
    throw wrong(name, file, `it cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

function wrong(name: FlagName, text: string, expected: string): UsageError {
  return new UsageError(`--${name} = ${JSON.stringify(text)}: ${expected}`)
}
