// Ids on their way out: JSON has no bigint, and a number would be rounded.

/** A replacer of `JSON.stringify`. */
export function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value
}
