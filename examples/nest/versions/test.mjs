// The same service with the versions of Nest before: its types hold there, and it does the same.

import assert from 'node:assert/strict'
import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../../../scripts/folder.mjs'
import { install } from '../../install.mjs'
import { build, get, post, start, terminate } from '../service.mjs'

/** Nobody listens there. */
const NOWHERE = 'redis://127.0.0.1:1'
const SERVICE = fileURLToPath(new URL('..', import.meta.url))

/** A copy of the service in a folder where another version of Nest is installed. */
async function serviceOn(version) {
  const packages = join(await install(`nest/versions/${version}`), 'node_modules')
  const folder = temporaryFolder(`nest-${version}`)
  for (const name of ['src', 'package.json', 'tsconfig.json']) {
    cpSync(join(SERVICE, name), join(folder, name), { recursive: true })
  }
  symlinkSync(packages, join(folder, 'node_modules'), 'junction')
  await build(folder)
  return folder
}

for (const version of [10, 11]) {
  test(`the service does the same with Nest ${version}`, async (t) => {
    const folder = await serviceOn(version)
    const service = await start(t, folder, `sqlite:${join(folder, 'orders.db')}`)
    const response = await post(service.base)
    const order = await response.json()
    assert.deepEqual([response.status, order], [201, { id: '1', item: 'tea' }])
    assert.deepEqual(await get(service.base, '/orders/1'), { status: 200, body: order })
    const bad = await get(service.base, '/orders/0x10')
    assert.deepEqual([bad.status, bad.body.code], [400, 'ERR_MINTID_ID_INVALID'])
    assert.equal((await get(service.base, '/health')).status, 200)
    await terminate(service)

    const lonely = await start(t, folder, NOWHERE)
    assert.equal((await post(lonely.base)).status, 503)
    const { status, body } = await get(lonely.base, '/health')
    assert.deepEqual([status, body.error.ids.status], [503, 'down'])
    await terminate(lonely)
  })
}
