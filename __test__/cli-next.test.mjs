// `mintid next`: what it reserves, and what it prints.

import assert from 'node:assert/strict'
import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { dirname } from 'node:path'
import { test } from 'node:test'
import { connect } from 'mintid'
import { mintid, shell } from './support/cli.mjs'
import { storeOf } from './support/folder.mjs'
import { seal } from './support/seal.mjs'

const PROCESSES = 4

/** The highest id that the store granted for `key`, as `inspect` tells it. */
async function highest(url, key) {
  const { stdout } = await mintid(['inspect', '--json'], { url })
  return JSON.parse(stdout).counters.find((counter) => counter.key === key)?.value
}

/** What is printed where all goes well. */
async function printed(words, options) {
  const { code, stdout, stderr } = await mintid(words, options)
  assert.equal(code, 0, stderr)
  assert.equal(stderr, '')
  return stdout
}

test('it reserves exactly what it prints', async (t) => {
  const { url } = storeOf(t)
  assert.equal(await printed(['next', 'orders', '-n', '3'], { url }), '1\n2\n3\n')
  assert.equal(await highest(url, 'orders'), '3')
})

test('ids go on from one call to the next without a gap', async (t) => {
  const { url } = storeOf(t)
  assert.equal(await printed(['next', 'orders'], { url }), '1\n')
  assert.equal(await printed(['next', '--count=2', 'orders'], { url }), '2\n3\n')
  assert.equal(await printed(['next', 'orders'], { url }), '4\n')
  assert.equal(await highest(url, 'orders'), '4')
})

test('ids are strings in JSON, and end on a line', async (t) => {
  const { url } = storeOf(t)
  await printed(['floor', 'a "b"', '9007199254740992'], { url })
  const text = await printed(['next', 'a "b"', '-n', '2', '--json'], { url })
  assert.equal(text, '{"name":"a \\"b\\"","ids":["9007199254740993","9007199254740994"]}\n')
})

test('--store comes before MINTID_URL', async (t) => {
  const { url } = storeOf(t)
  await printed(['next', 'orders', '-n', '5', '--store', url])
  assert.equal(await printed(['next', 'orders', '--store', 'memory:'], { url }), '1\n')
  assert.equal(await printed(['next', 'orders'], { url }), '6\n')
})

test('namespaces have counters of their own', async (t) => {
  const { url } = storeOf(t)
  await printed(['next', 'orders', '-n', '5'], { url })
  assert.equal(await printed(['next', 'orders', '--namespace', 'shop'], { url }), '1\n')
  assert.equal(await highest(url, 'shop/orders'), '1')
})

test('it is the counter that services use', async (t) => {
  const { url } = storeOf(t)
  const ids = await connect(url)
  assert.equal(await ids.segment('orders', { policy: 'fixed', step: 10 }).next(), 1n)
  assert.equal(await printed(['next', 'orders'], { url }), '11\n')
  await ids.close()
})

test('commands at once print each id once', async (t) => {
  const { url } = storeOf(t)
  const runs = Array.from({ length: PROCESSES }, () => printed(['next', 'a', '-n', '500'], { url }))
  const ids = (await Promise.all(runs)).flatMap((text) => text.trimEnd().split('\n').map(Number))
  const expected = Array.from({ length: PROCESSES * 500 }, (_, i) => i + 1)
  assert.deepEqual(
    ids.toSorted((a, b) => a - b),
    expected,
  )
})

test('many ids come as one run, as lines and as JSON', async (t) => {
  const { url } = storeOf(t)
  const count = 20_001
  const expected = (from) => Array.from({ length: count }, (_, i) => String(from + i))
  const lines = await printed(['next', 'a', '-n', String(count)], { url })
  assert.deepEqual(lines.split('\n'), [...expected(1), ''])
  const json = await printed(['next', 'a', '-n', String(count), '--json'], { url })
  assert.deepEqual(JSON.parse(json).ids, expected(1 + count))
})

test('a reader that has seen enough ends it without a word', async (t) => {
  const { file, url } = storeOf(t)
  const script = '{ mintid next orders -n 100000; echo "ended with $?" >&2; } | head -n 1'
  const { stdout, stderr } = await shell(t, script, { url, cwd: dirname(file) })
  assert.equal(stdout, '1\n')
  assert.equal(stderr, 'ended with 0\n')
  assert.equal(await highest(url, 'orders'), '100000')
})

test('ids that cannot be written are a failure', async (t) => {
  const unwritable = openSync(devNull, 'r')
  t.after(() => closeSync(unwritable))
  const stdio = ['ignore', unwritable, 'pipe']
  const { code, stderr } = await mintid(['next', 'a', '--store', 'memory:'], { stdio })
  assert.equal(code, 1)
  assert.match(stderr, /^mintid: .+ \(EBADF\)\n$/)
})

test('a sealed counter fails, and prints nothing', async (t) => {
  const { file, url } = storeOf(t)
  await printed(['next', 'orders', '-n', '5'], { url })
  seal(file, 'orders')
  const failed = await mintid(['next', 'orders'], { url })
  assert.deepEqual(failed, {
    code: 1,
    stdout: '',
    stderr: 'mintid: "orders" is sealed and grants no more ids (ERR_MINTID_RANGE_SEALED)\n',
  })
  const { code, stdout, stderr } = await mintid(['next', 'orders', '--json'], { url })
  assert.equal(code, 1)
  assert.equal(stdout, '')
  assert.deepEqual(JSON.parse(stderr), {
    error: {
      code: 'ERR_MINTID_RANGE_SEALED',
      message: '"orders" is sealed and grants no more ids',
    },
  })
  assert.equal(await highest(url, 'orders'), '5')
})

test('a counter without ids enough fails, and reserves nothing', async (t) => {
  const { url } = storeOf(t)
  await printed(['floor', 'orders', '9223372036854775804'], { url })
  const { code, stdout, stderr } = await mintid(['next', 'orders', '-n', '3'], { url })
  assert.equal(code, 1)
  assert.equal(stdout, '')
  assert.match(stderr, /\(ERR_MINTID_RANGE_EXHAUSTED\)\n$/)
  const last = '9223372036854775805\n9223372036854775806\n'
  assert.equal(await printed(['next', 'orders', '-n', '2'], { url }), last)
})

test('a store that cannot be reached is a failure that names it', async (t) => {
  const { file } = storeOf(t)
  const url = `sqlite:${file}/no/such/ids.db`
  const { code, stdout, stderr } = await mintid(['next', 'orders'], { url })
  assert.equal(code, 1)
  assert.equal(stdout, '')
  assert.ok(stderr.includes(file), stderr)
})
