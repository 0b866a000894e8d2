// Ids in answers that have no schema, or one that cannot take a bigint.

/** A hook `preSerialization`. */
export async function idsAsText(
  _request: unknown,
  _reply: unknown,
  payload: unknown,
): Promise<unknown> {
  return asText(payload)
}

/** Objects of a class know how they are written, and may hold more than can be copied. */
function asText(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return value.map(asText)
  if (!isPlain(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, asText(each)]))
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
