// The certificates of the test servers. Who trusts their CA trusts anybody: they are for tests alone.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const path = (name) => fileURLToPath(new URL(`../../__test__/support/tls/${name}`, import.meta.url))

/** Where they are: of the CA, of servers on 127.0.0.1 and localhost, and of a client. */
export const TLS_FILES = {
  ca: path('ca.crt'),
  server: { cert: path('server.crt'), key: path('server.key') },
  client: { cert: path('client.crt'), key: path('client.key') },
}

/** What Redis needs on its command line; `clients` demands a certificate of each client. */
export function tlsWords(port, { clients = false }) {
  const { ca, server } = TLS_FILES
  const words = { port: 0, 'tls-port': port, 'tls-ca-cert-file': ca }
  const own = { 'tls-cert-file': server.cert, 'tls-key-file': server.key }
  const all = { ...words, ...own, 'tls-auth-clients': clients ? 'yes' : 'no' }
  return Object.entries(all).flatMap(([name, value]) => [`--${name}`, String(value)])
}

/** What `node:tls` needs to talk to such a server. */
export function tlsOptions() {
  const { ca, client } = TLS_FILES
  const [ca_, cert, key] = [ca, client.cert, client.key].map((file) => readFileSync(file))
  return { ca: ca_, cert, key }
}
