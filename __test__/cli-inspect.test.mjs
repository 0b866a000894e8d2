// `mintid inspect` and `mintid floor`: what a store remembers, and how it is raised.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connect } from 'mintid'
import { mintid } from './support/cli.mjs'
import { storeOf } from './support/folder.mjs'
import { seal } from './support/seal.mjs'

/** What a command prints, which ends well and has nothing else to say. */
async function printed(url, ...words) {
  const { code, stdout, stderr } = await mintid(words, { url })
  assert.equal(code, 0, stderr)
  assert.equal(stderr, '')
  return stdout
}

async function withCounters(t) {
  const { file, url } = storeOf(t)
  await printed(url, 'next', 'orders', '-n', '120')
  await printed(url, 'next', '订单', '-n', '7')
  await printed(url, 'next', 'orders', '--namespace', 'shop')
  return { file, url }
}

test('every counter is a row', async (t) => {
  const { file, url } = await withCounters(t)
  seal(file, '订单')
  const table = [
    'highest id  sealed  key',
    '       120  no      orders',
    '         1  no      shop/orders',
    '         7  yes     订单',
    '',
  ]
  assert.deepEqual((await printed(url, 'inspect')).split('\n'), table)
})

test('the widest value sets the width', async (t) => {
  const { url } = storeOf(t)
  await printed(url, 'floor', 'orders', '9223372036854775806')
  await printed(url, 'next', 'users')
  assert.deepEqual((await printed(url, 'inspect')).split('\n'), [
    '         highest id  sealed  key',
    '9223372036854775806  no      orders',
    '                  1  no      users',
    '',
  ])
})

test('a prefix, and a namespace, leave out what does not begin with it', async (t) => {
  const { url } = await withCounters(t)
  const keys = async (...words) =>
    JSON.parse(await printed(url, 'inspect', ...words, '--json')).counters.map(({ key }) => key)
  assert.deepEqual(await keys(), ['orders', 'shop/orders', '订单'])
  assert.deepEqual(await keys('ord'), ['orders'])
  assert.deepEqual(await keys('shop/'), ['shop/orders'])
  assert.deepEqual(await keys('--namespace', 'shop'), ['shop/orders'])
  assert.deepEqual(await keys('ord', '--namespace', 'shop'), ['shop/orders'])
  assert.deepEqual(await keys('users'), [])
})

test('values are strings in JSON', async (t) => {
  const { file, url } = storeOf(t)
  await printed(url, 'next', 'orders', '-n', '3')
  assert.deepEqual(JSON.parse(await printed(url, 'inspect', '--json')), {
    store: `sqlite:${file}`,
    counters: [{ key: 'orders', value: '3', sealed: false }],
  })
})

test('where there is nothing the table is empty, and a message says so', async (t) => {
  const { url } = storeOf(t)
  const empty = await mintid(['inspect'], { url })
  assert.deepEqual(empty, { code: 0, stdout: '', stderr: `${url} has no counter\n` })
  const { stderr } = await mintid(['inspect', 'ord'], { url })
  assert.equal(stderr, `${url} has no counter that begins with "ord"\n`)
})

test('a floor raises a counter above what it had', async (t) => {
  const { url } = storeOf(t)
  await printed(url, 'next', 'orders', '-n', '3')
  const told = 'orders was raised from 3 to 5000: its next id is above that\n'
  assert.equal(await printed(url, 'floor', 'orders', '5000'), told)
  assert.equal(await printed(url, 'next', 'orders'), '5001\n')
})

test('a floor below the counter, or at it, changes nothing', async (t) => {
  const { url } = storeOf(t)
  await printed(url, 'next', 'orders', '-n', '120')
  for (const value of ['0', '119', '120']) {
    const told = 'orders stands at 120: nothing was changed\n'
    assert.equal(await printed(url, 'floor', 'orders', value), told)
  }
  assert.equal(await printed(url, 'next', 'orders'), '121\n')
})

test('a floor creates a counter', async (t) => {
  const { url } = storeOf(t)
  const told = 'orders was created at 41: its next id is above that\n'
  assert.equal(await printed(url, 'floor', 'orders', '41'), told)
  const ids = await connect(url)
  assert.equal(await ids.segment('orders').next(), 42n)
  await ids.close()
})

test('a floor says what it did in JSON', async (t) => {
  const { url } = storeOf(t)
  const raise = async (value) =>
    JSON.parse(await printed(url, 'floor', 'a', value, '--json', '--namespace', 'shop'))
  const key = 'shop/a'
  assert.deepEqual(await raise('7'), { key, changed: true, before: null, value: '7' })
  assert.deepEqual(await raise('9'), { key, changed: true, before: '7', value: '9' })
  assert.deepEqual(await raise('8'), { key, changed: false, before: '9', value: '9' })
})

test('another counter with the same beginning is not mistaken for it', async (t) => {
  const { url } = storeOf(t)
  await printed(url, 'floor', 'orders-old', '900')
  const told = 'orders was created at 5: its next id is above that\n'
  assert.equal(await printed(url, 'floor', 'orders', '5'), told)
})

test('a sealed counter is not raised', async (t) => {
  const { file, url } = storeOf(t)
  await printed(url, 'next', 'orders', '-n', '5')
  seal(file, 'orders')
  assert.deepEqual(await mintid(['floor', 'orders', '100'], { url }), {
    code: 1,
    stdout: '',
    stderr: 'mintid: "orders" is sealed and grants no more ids (ERR_MINTID_RANGE_SEALED)\n',
  })
  assert.match(await printed(url, 'inspect'), /^ +5 {2}yes {5}orders$/m)
})
