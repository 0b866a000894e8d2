// Names and URLs that cannot be used.

import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { afterEach, test } from 'node:test'
import { connect, createIds } from 'mintid'
import { assertFails, assertRefused } from './support/failure.mjs'
import { storeOf } from './support/folder.mjs'

const RULES = '1 to 128 bytes without /, {, }, control characters or a leading #'
const NAMES = {
  'an empty text': ['', RULES],
  '129 bytes': ['x'.repeat(129), RULES],
  '129 bytes of 65 characters': [`${'é'.repeat(64)}x`, RULES],
  'a slash': ['a/b', RULES],
  'an opening brace': ['{orders', RULES],
  'a closing brace': ['orders}', RULES],
  'a leading #': ['#orders', RULES],
  'a number': [5, 'expected text'],
  'a bigint': [5n, 'expected text'],
  null: [null, 'expected text'],
  'an object': [{}, 'expected text'],
  'an array': [['orders'], 'expected text'],
}

for (const [what, [value, accepted]] of Object.entries(NAMES)) {
  test(`${what} is refused as a name and as a namespace`, async () => {
    const ids = createIds('memory:')
    await assertRefused(() => ids.segment(value), 'name', value, accepted)
    const named = () => createIds('memory:', { namespace: value })
    await assertRefused(named, 'namespace', value, accepted)
  })
}

test('a generator has to be named', async () => {
  await assertRefused(() => createIds('memory:').segment(), 'name', undefined, 'expected text')
})

test('control characters are refused in names and namespaces', async () => {
  const ids = createIds('memory:')
  for (const control of ['\0', '\t', '\n', '\r', '\x1f', '\x7f', '\x85']) {
    const name = `or${control}ders`
    for (const call of [() => ids.segment(name), () => createIds('memory:', { namespace: name })]) {
      const { message } = await assertFails(call, 'ERR_MINTID_CONFIG_INVALID')
      assert.ok(message.includes('it holds a control character'), message)
      assert.ok(!message.includes(control), 'the message is shown as it is')
    }
  }
})

test('any other text is a name, and names are told apart by every character', async () => {
  const ids = createIds('memory:', { namespace: '商店 №1' })
  for (const name of [
    'a',
    'A',
    '订单',
    'a#b',
    'a b',
    ' a',
    'a:b.c-d_e',
    '__proto__',
    'x'.repeat(128),
  ]) {
    const generator = ids.segment(name)
    assert.equal(generator.name, name)
    assert.equal(await generator.next(), 1n, name)
  }
})

test('a namespace keeps counters apart, and none is one of its own', async () => {
  for (const namespace of [undefined, 'shop', 'blog']) {
    const ids = createIds('memory:apart', { namespace })
    assert.equal(await ids.segment('orders').next(), 1n, namespace)
  }
})

const GIVEN = process.env.MINTID_URL

function environment(url) {
  if (url === undefined) delete process.env.MINTID_URL
  else process.env.MINTID_URL = url
}

afterEach(() => environment(GIVEN))

const URLS = [
  ['', 'it is empty'],
  ['ids.db', 'scheme is unknown'],
  ['ids:db', 'scheme is unknown'],
  ['redsi://localhost', 'scheme is unknown'],
  ['mysql://localhost:3306/ids', 'scheme is unknown'],
  ['redis:localhost', 'no host'],
  ['redis://', 'no host'],
  ['redis://localhost:99999', 'port'],
  ['redis://localhost/x', 'no database'],
  ['redis://localhost/256', 'no database'],
  ['redis://localhost?db=1', 'parameter db'],
  ['redis-cluster://localhost/1', 'no databases'],
  ['redis-sentinel://localhost', 'sentinelServiceName'],
  ['redis+unix://', 'no path'],
  ['sqlite:', 'no path'],
  ['sqlite://', 'no path'],
  ['sqlite::memory:', 'memory:'],
  ['sqlite:ids.db?mode=ro', 'no ?'],
  ['memory:a/b', RULES],
  [42, 'expected text'],
  [1n, 'expected text'],
  [null, 'expected'],
  [['memory:'], 'expected text'],
]

for (const [url, accepted] of URLS) {
  test(`the url ${typeof url === 'bigint' ? '1n' : JSON.stringify(url)} is refused`, async () => {
    // Not even a usable one in the environment stands in for one that is wrong.
    environment('memory:')
    await assertRefused(() => createIds(url), 'url', url, accepted)
    await assertRefused(() => connect(url), 'url', url, accepted)
  })
}

test('an object that is no store is refused', async () => {
  for (const store of [{}, { reserve: 1 }, { raise() {} }]) {
    await assertRefused(() => createIds(store), 'store', store, 'expected a method reserve')
  }
})

test('no url at all is refused with MINTID_URL named', async () => {
  environment(undefined)
  await assertRefused(() => createIds(), 'url', undefined, 'MINTID_URL')
  await assertRefused(() => connect(undefined, {}), 'url', undefined, 'MINTID_URL')
})

test('MINTID_URL stands in for a url that is left out, and for no other', async (t) => {
  const { file, url } = storeOf(t)
  environment(url)
  assert.equal(createIds().store, `sqlite:${file}`)
  assert.equal(createIds(undefined, {}).store, `sqlite:${file}`)
  assert.equal(createIds('memory:other').store, 'memory:other')
  environment('')
  await assertRefused(() => createIds(), 'url', '', 'it is empty')
})

test('one file is one store, however its path is written', (t) => {
  const { file, url } = storeOf(t)
  const folder = dirname(file)
  mkdirSync(join(folder, 'inner'))
  symlinkSync(folder, join(folder, 'link'))
  for (const path of [
    file,
    `//${file}`,
    join(folder, 'link', 'ids.db'),
    `${folder}/inner/../ids.db`,
    relative(process.cwd(), file),
  ]) {
    assert.equal(createIds(`sqlite:${path}`).store, url, path)
  }
})
