// Applications that listen for the length of a test.

import { once } from 'node:events'

/**
 * Lets an application of Express listen on a free port.
 *
 * @returns `get(path, options)`, which takes the options of `fetch` and gives
 * `{ status, headers, body }`, the body as JSON
 */
export async function listening(t, app) {
  const server = app.listen(0)
  t.after(() => server.close())
  await once(server, 'listening')
  const base = `http://localhost:${server.address().port}`
  return async (path, options) => {
    const response = await fetch(`${base}${path}`, options)
    const { status, headers } = response
    return { status, headers, body: asJson(await response.text()) }
  }
}

/** The pages of errors of a framework are no JSON. */
function asJson(text) {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
