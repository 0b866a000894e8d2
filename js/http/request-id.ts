// Ids of requests that come from outside, and are kept as they are: they end in headers and logs.

import type { Checks } from './options.js'

/** Letters, digits and some signs: nothing that a log, a header or a shell would take for more. */
const WELL_FORMED = /^[\w.:=@+/-]{1,128}$/
/** What the name of a header is made of. */
const HEADER = /^[\w!#$%&'*+.^`|~-]+$/

export const isWellFormed = (text: string): boolean => WELL_FORMED.test(text)

/** What everybody who reads such a header takes. */
export const HEADER_CHECKS = {
  header: {
    isValid: (value) => typeof value === 'string' && HEADER.test(value),
    expected: 'expected the name of a header',
  },
  accept: {
    isValid: (value) => typeof value === 'function',
    expected: 'expected a function that says whether an id from outside is kept',
  },
} satisfies Checks
