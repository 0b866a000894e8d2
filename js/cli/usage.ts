// A command line that cannot be followed: exit code 2, and no store was reached.

export class UsageError extends Error {
  readonly code = 'ERR_MINTID_CONFIG_INVALID'
}

/** Calls what reaches no store: what it refuses is what was typed. */
export function typed<T>(call: () => T): T {
  try {
    return call()
  } catch (error) {
    const { code, message } = error as { code?: unknown; message: string }
    throw code === 'ERR_MINTID_CONFIG_INVALID' ? new UsageError(message) : error
  }
}

/** A whole number of at least 0, written in digits alone. */
export function wholeNumber(what: string, text: string, least: bigint, most: bigint): bigint {
  const value = /^(0|[1-9]\d*)$/.test(text) ? BigInt(text) : undefined
  if (value !== undefined && value >= least && value <= most) return value
  throw new UsageError(
    `${what} = ${JSON.stringify(text)}: expected a whole number from ${least} to ${most}`,
  )
}
