// What a failure looks like to the caller.

import assert from 'node:assert/strict'
import { MintIdError } from 'mintid'

/** The error that a call throws, or that its promise is rejected with. */
export async function failureOf(call) {
  let answer
  try {
    answer = await call()
  } catch (error) {
    return error
  }
  assert.fail(`it did not fail, but gave ${String(answer)}`)
}

/** The failure of a call, which must have this code. */
export async function assertFails(call, code) {
  const error = await failureOf(call)
  assert.ok(error instanceof MintIdError, `${error?.stack ?? error}`)
  assert.equal(error.code, code, error.message)
  return error
}

/** A refusal names the option or argument, shows its value, and says what is accepted. */
export async function assertRefused(call, option, value, accepted) {
  const { message } = await assertFails(call, 'ERR_MINTID_CONFIG_INVALID')
  const start = `${option} = ${shown(value)}: `
  assert.ok(message.startsWith(start), `${message} does not begin with ${start}`)
  assert.ok(message.includes(accepted, start.length), `${message} does not say ${accepted}`)
}

function shown(value) {
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value !== null) {
    return `an object (${Object.prototype.toString.call(value)})`
  }
  return String(value)
}
