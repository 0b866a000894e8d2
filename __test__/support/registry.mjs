// A registry on loopback to which npm publishes, and which keeps a record of it.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { folderOf } from './folder.mjs'

/**
 * A registry that ends with the test: `{ published, hidden, refused, settings }`. `published` lists
 * each `name@version as TAG` in its order, `settings` are the words that bring npm here. Names in
 * `hidden` are taken and not shown, those in `refused` are not taken.
 */
export async function registry(t) {
  const [published, hidden, refused, pages] = [[], new Set(), new Set(), new Map()]
  const server = createServer(async (request, response) => {
    const answer = (status, body) => response.writeHead(status).end(JSON.stringify(body))
    const name = decodeURIComponent(request.url.slice(1).split('?')[0])
    if (request.method === 'GET') {
      const page = hidden.has(name) ? undefined : pages.get(name)
      return page ? answer(200, page) : answer(404, { error: 'not found' })
    }
    const body = JSON.parse(Buffer.concat(await request.toArray()))
    // Of the answers that are a refusal this is one after which npm does not try again.
    if (refused.has(name)) return answer(403, { error: 'refused by the test' })
    take(body)
    answer(201, { ok: true })
  })
  function take({ name, versions, 'dist-tags': tags }) {
    const known = pages.get(name)
    pages.set(name, {
      name,
      versions: { ...known?.versions, ...versions },
      'dist-tags': { ...known?.['dist-tags'], ...tags },
    })
    for (const [tag, version] of Object.entries(tags))
      published.push(`${name}@${version} as ${tag}`)
  }
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const host = `127.0.0.1:${server.address().port}`
  const folder = folderOf(t)
  const settings = {
    registry: `http://${host}`,
    [`//${host}/:_authToken`]: 'of-the-test',
    noproxy: '127.0.0.1',
    cache: join(folder, 'cache'),
    userconfig: join(folder, 'no-npmrc'),
  }
  const words = Object.entries(settings).map(([key, value]) => `--${key}=${value}`)
  return { published, hidden, refused, settings: words, environment: environmentOf(settings) }
}

/** npm takes its settings from variables too, of whatever case. */
const environmentOf = (settings) =>
  Object.fromEntries(Object.entries(settings).map(([key, value]) => [`npm_config_${key}`, value]))
