// Places where no store can be: named by its failure, which no wait will mend.

import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { connect, createIds } from 'mintid'
import { assertFails } from './support/failure.mjs'
import { folderOf, storeOf } from './support/folder.mjs'

const NO_DATABASE = 'This is a text and no database, as anybody can see. '.repeat(100)

const PLACES = {
  'a folder that does not exist': { path: 'no/such/ids.db', names: 'does not exist' },
  'a file in the place of the folder': {
    path: 'file/ids.db',
    prepare: (folder) => writeFileSync(join(folder, 'file'), ''),
    names: 'no folder',
  },
  'a folder in the place of the file': {
    path: 'ids.db',
    prepare: (folder) => mkdirSync(join(folder, 'ids.db')),
    names: 'no file',
  },
  'a file that is no database': {
    path: 'ids.db',
    prepare: (folder) => writeFileSync(join(folder, 'ids.db'), NO_DATABASE),
    names: 'no SQLite database',
  },
}

for (const [what, { path, prepare, names }] of Object.entries(PLACES)) {
  test(`${what} is no store`, async (t) => {
    const folder = folderOf(t)
    prepare?.(folder)
    const before = readdirSync(folder)
    const file = join(folder, path)
    const ids = createIds(`sqlite:${file}`)
    const orders = ids.segment('orders')
    for (const call of [
      () => connect(`sqlite:${file}`),
      () => ids.ready(),
      () => orders.ready(),
      () => orders.next(),
      () => orders.nextBatch(10),
      () => orders.nextRange(10),
    ]) {
      const { message, retryable } = await assertFails(call, 'ERR_MINTID_CONFIG_INVALID')
      assert.equal(retryable, false)
      assert.ok(message.includes(file), message)
      assert.ok(message.includes(names), message)
    }
    await ids.close()
    const left = readdirSync(folder).filter((name) => !name.endsWith('.lock'))
    assert.deepEqual(left, before)
  })
}

test('a file that is no database is left as it was', async (t) => {
  const { file, url } = storeOf(t)
  writeFileSync(file, NO_DATABASE)
  await assertFails(() => connect(url), 'ERR_MINTID_CONFIG_INVALID')
  assert.equal(readFileSync(file, 'utf8'), NO_DATABASE)
})

test('nothing is made before the first use', (t) => {
  const { file, url } = storeOf(t)
  createIds(url).segment('orders').stats()
  assert.deepEqual(readdirSync(dirname(file)), [])
})

test('a generator that may not be created is missing, until it has been created', async (t) => {
  const { file, url } = storeOf(t)
  const strict = createIds(url, { allowCreate: false })
  const error = await assertFails(() => strict.segment('orders').next(), 'ERR_MINTID_RANGE_MISSING')
  assert.equal(error.retryable, false)
  assert.match(error.message, /"orders".*allowCreate/)
  await strict.close()
  const first = createIds(url)
  assert.equal(await first.segment('orders').next(), 1n)
  await first.close()
  const second = createIds(url, { allowCreate: false })
  assert.ok((await second.segment('orders').next()) > 1n)
  await assertFails(() => second.segment('bills').next(), 'ERR_MINTID_RANGE_MISSING')
  await second.close()
  assert.ok(existsSync(file))
})
