// What a failure means to a client over HTTP, for every framework alike: a bad id is the client's
// fault, a store that is away is nobody's and may be back soon. What a store said stays inside.

/** An answer, and after how many seconds to try again where that may help. */
export interface Answer {
  status: number
  retryAfter?: number
  body: { statusCode: number; error: string; message: string; code: string }
}

const RETRY_AFTER_S = 1
const REASONS: Record<number, string> = {
  400: 'Bad Request',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

/** The answer to a failure of ours; undefined for whatever else was thrown. */
export function answerTo(error: unknown): Answer | undefined {
  if (!isOurs(error)) return undefined
  const { code, message, retryable } = error
  if (code === 'ERR_MINTID_ID_INVALID') return answer(400, code, message)
  // Closed means that this process is about to end: another one answers.
  if (retryable || code === 'ERR_MINTID_CLOSED') {
    return { ...answer(503, code, 'no id can be had at the moment'), retryAfter: RETRY_AFTER_S }
  }
  return answer(500, code, 'no id can be had')
}

/** By its code: another copy of the package has another class. */
function isOurs(error: unknown): error is { code: string; message: string; retryable: boolean } {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' && code.startsWith('ERR_MINTID_')
}

function answer(status: number, code: string, message: string): Answer {
  return { status, body: { statusCode: status, error: REASONS[status] ?? '', message, code } }
}
