// Ids in `res.json`, for the setting `json replacer` of an application.

import type { JsonReplacer } from '../../express.js'
import { checkNamed } from '../http/options.js'
import { bigintAsText } from '../http/text.js'

const CHECKS = {
  replacer: {
    isValid: (value: unknown) => typeof value === 'function',
    expected: 'expected a function, as JSON.stringify takes it',
    isRequired: true,
  },
}

export const jsonReplacer: JsonReplacer = bigintAsText

export function jsonReplacerAfter(replacer: JsonReplacer): JsonReplacer {
  checkNamed({ replacer }, CHECKS)
  // `JSON.stringify` calls a replacer on the object that holds the value.
  return function (this: unknown, key, value) {
    return bigintAsText(key, replacer.call(this, key, value))
  }
}
