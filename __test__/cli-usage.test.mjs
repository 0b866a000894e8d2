// What `mintid` says of itself, and of a command line that it cannot follow.

import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { readTables } from '../scripts/docs.mjs'
import { MANIFEST, mintid } from './support/cli.mjs'
import { storeOf } from './support/folder.mjs'

const COMMANDS = ['next', 'inspect', 'floor', 'decode', 'machines', 'doctor']
const BOUND = '1000000000'

for (const [words, named] of [
  ['', 'a command is missing: next, inspect, floor, decode, machines, doctor'],
  ['nxet orders', 'there is no command "nxet": did you mean next?'],
  ['INSPECT', 'there is no command "INSPECT": did you mean inspect?'],
  ['mint orders', 'there is no command "mint": next, inspect, floor, decode, machines, doctor'],
  ['next orders --stroe x', 'there is no option --stroe here: did you mean --store?'],
  ['--stroe x next orders', 'there is no option --stroe here: did you mean --store?'],
  ['--stroe x', 'there is no option --stroe here: did you mean --store?'],
  ['next orders --JSON', 'there is no option --JSON here: did you mean --json?'],
  ['next orders -x', 'there is no option -x here: --count, --allow-create, --store, '],
  [
    'next orders --frobnicate',
    'there is no option --frobnicate here: --count, --allow-create, --store, ',
  ],
  ['inspect -n 3', 'there is no option -n here: '],
  ['inspect --version', 'there is no option --version here: '],
  ['next', 'NAME is missing: mintid next NAME'],
  ['next orders bills', '"bills" is too much: mintid next NAME'],
  ['inspect a b', '"b" is too much: mintid inspect [PREFIX]'],
  ['floor', 'NAME and VALUE are missing: mintid floor NAME VALUE'],
  ['floor orders', 'VALUE is missing: mintid floor NAME VALUE'],
  ['next orders -n', '-n lacks its value: -n COUNT'],
  ['next orders -n --json', '-n lacks its value: -n COUNT'],
  ['next orders --store', '--store lacks its value: --store URL'],
  ['--version=1', '--version takes no value'],
  ['next orders -n 1 --count 2', '--count is given twice'],
  ['next a/b', 'name = "a/b": it holds / or { or }'],
  ['floor a/b 3', 'name = "a/b": it holds / or { or }'],
  ['next orders --namespace a/b', 'namespace = "a/b": it holds / or { or }'],
  ['next orders --store ids.db', 'url = "ids.db": '],
  ['next orders --store=', 'no store is given: use --store URL, or set MINTID_URL'],
  ...['0', '-1', '1.5', 'abc', '1e3', '0x10', '01', '1000000001', '9007199254740992'].map((n) => [
    `next orders -n ${n}`,
    `COUNT = "${n}": expected a whole number from 1 to ${BOUND}`,
  ]),
  ...['abc', '1.5', '1n', '0x10', '007', '9223372036854775807'].map((value) => [
    `floor orders ${value}`,
    `VALUE = "${value}": expected a whole number from 0 to 9223372036854775806`,
  ]),
  ['doctor orders', '"orders" is too much: mintid doctor'],
  ['doctor --allow-create no', '--allow-create = "no": expected true or false'],
  ['doctor --allow-create', '--allow-create lacks its value: --allow-create true|false'],
  ['next a --durability 1', '--durability = "1": expected none, disk or replicas:N'],
  ['next a --durability replicas:0', '--durability = "replicas:0": expected '],
  ['next a --durability replicas:101', '--durability = "replicas:101": expected '],
  ['inspect --identity me', 'identity = "me": expected one of server, none'],
  ['inspect --tls-ca no-such-file', '--tls-ca = "no-such-file": it cannot be read (ENOENT)'],
  ['inspect --accept-loss=yes', '--accept-loss takes no value'],
  ['inspect --strict', 'there is no option --strict here: '],
  ['doctor --store redis://localhost:99999', 'url = "redis://localhost:99999": '],
  ['floor orders -5', 'there is no option -5 here'],
  ['floor orders -- -5', 'VALUE = "-5": expected a whole number'],
]) {
  test(`mintid ${words} is refused before the store is reached`, async (t) => {
    const { file, url } = storeOf(t)
    const { code, stdout, stderr } = await mintid(words.split(' ').filter(Boolean), { url })
    assert.equal(code, 2, stderr)
    assert.equal(stdout, '')
    assert.ok(stderr.startsWith(`mintid: ${named}`), stderr)
    assert.match(stderr, /\nSee mintid (\w+ )?--help\n$/)
    assert.equal(existsSync(file), false)
  })
}

for (const command of ['next orders', 'inspect', 'floor orders 5', 'doctor']) {
  test(`mintid ${command} without a store names both ways to give one`, async () => {
    for (const url of [undefined, '']) {
      const { code, stderr } = await mintid(command.split(' '), { url })
      assert.equal(code, 2)
      assert.match(stderr, /--store URL/)
      assert.match(stderr, /MINTID_URL/)
    }
  })
}

test('with --json a command line that cannot be followed is told in JSON', async (t) => {
  const { url } = storeOf(t)
  const { code, stdout, stderr } = await mintid(['next', 'a', '--json', '-n', '0'], { url })
  assert.equal(code, 2)
  assert.equal(stdout, '')
  assert.deepEqual(JSON.parse(stderr), {
    error: {
      code: 'ERR_MINTID_CONFIG_INVALID',
      message: `COUNT = "0": expected a whole number from 1 to ${BOUND}`,
    },
  })
})

test('--help names every command', async () => {
  const { code, stdout, stderr } = await mintid(['--help'])
  assert.equal(code, 0)
  assert.equal(stderr, '')
  for (const name of COMMANDS) assert.match(stdout, new RegExp(`^ {2}${name} .+$`, 'm'))
})

for (const command of COMMANDS) {
  test(`mintid ${command} --help names its options, and needs no store`, async () => {
    const { code, stdout } = await mintid([command, '--help'])
    assert.equal(code, 0)
    assert.ok(stdout.startsWith(`usage: mintid ${command} `), stdout)
    const ofStore = ['store', 'namespace', 'key', 'durability', 'tls-ca']
    const own = command === 'decode' ? ['layout'] : ofStore
    for (const name of [...own, 'json', 'help']) assert.match(stdout, new RegExp(`--${name}\\b`))
    assert.equal(/-n, --count COUNT\b/.test(stdout), command === 'next')
    assert.deepEqual(
      stdout.split('\n').filter((line) => line.length > 80),
      [],
    )
    assert.equal((await mintid(['-h', command, 'whatever', 'else'])).stdout, stdout)
  })
}

test('the help of an option is what the table of options says', async () => {
  const { stdout } = await mintid(['next', '--help'])
  const words = (text) => text.replaceAll('`', '').replace(/\s+/g, ' ')
  const table = readTables().options.find(
    ({ scope, name }) => scope === 'ids' && name === 'namespace',
  )
  assert.ok(words(stdout).includes(`--namespace NAMESPACE ${words(table.doc)}`), stdout)
})

test('--version is that of the package', async () => {
  const { code, stdout } = await mintid(['--version'])
  assert.equal(code, 0)
  assert.equal(stdout, `${MANIFEST.version}\n`)
})
