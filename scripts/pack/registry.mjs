// A registry on loopback that holds our own packages alone, so that they are installed by the same
// words as from the real one, and npm itself picks the platform.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { basename } from 'node:path'

/**
 * Serves packages, `{ manifest, tarball? }`, until it is closed. One without a tarball is known by
 * its manifest, and cannot be had.
 *
 * @returns `{ url, downloads, close }`; `downloads` are the names of the tarballs asked for so far
 */
export async function serve(packages) {
  const downloads = []
  const pages = new Map()
  const server = createServer(({ url }, response) => {
    const path = decodeURIComponent(url)
    if (path.startsWith('/-/')) downloads.push(basename(path))
    const page = pages.get(path)
    response.writeHead(page === undefined ? 404 : 200).end(page ?? '{}')
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${server.address().port}`
  for (const { manifest, tarball } of packages) {
    const { name, version } = manifest
    const file = `/-/${name}-${version}.tgz`
    const bytes = tarball && readFileSync(tarball)
    const dist = { tarball: `${url}${file}`, ...(bytes && { integrity: integrityOf(bytes) }) }
    const versions = { [version]: { ...manifest, dist } }
    pages.set(`/${name}`, JSON.stringify({ name, 'dist-tags': { latest: version }, versions }))
    if (bytes) pages.set(file, bytes)
  }
  return { url, downloads, close: () => closed(server) }
}

const integrityOf = (bytes) => `sha512-${createHash('sha512').update(bytes).digest('base64')}`

/** npm keeps its connections open, and would keep the server. */
function closed(server) {
  server.closeAllConnections()
  return new Promise((resolve) => server.close(resolve))
}
