// The fault tests themselves: that they find what they look for, and refuse what they cannot use.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noPidNamespaces } from '../scripts/faults/pid-namespace.mjs'
import { asTable } from '../scripts/faults/report.mjs'
import { SCENARIOS, SHORT } from '../scripts/faults/scenarios.mjs'
import { runScenario } from '../scripts/faults/trial.mjs'
import { folderOf, storeOf } from './support/folder.mjs'
import { runScript } from './support/script.mjs'
import { withoutServers } from './support/servers.mjs'

const SECONDS = 1

const faults = (t, args, options) => runScript(t, 'faults.mjs', args, options)

/**
 * Runs a scenario in which four processes mint from `store`, and `harm` is done midway; `expected`
 * is what else a scenario tells.
 */
function minting(t, store, { harm, ...expected } = {}) {
  const scenario = {
    name: 'minting',
    ...expected,
    async run({ fleet, own, spell }) {
      await fleet.start(store)
      await spell(1 / 2)
      await harm?.({ fleet, own })
      await spell(1 / 2)
    },
  }
  return runScenario(scenario, { seconds: SECONDS, folder: folderOf(t) })
}

test('a fleet whose store is not harmed mints ids, repeats none, and nothing is wrong', async (t) => {
  const { complaints, ids, duplicates, errors, ...rest } = await minting(t, storeOf(t).url)
  assert.deepEqual(
    { complaints, duplicates, errors },
    { complaints: [], duplicates: 0, errors: [] },
  )
  // All are compared: what was written down is what was got.
  assert.ok(ids > 1_000 && ids <= rest.highest, `${ids} ids`)
  assert.ok(rest.refills > 10, `${rest.refills} ranges`)
})

test('counters that know nothing of each other are found out', async (t) => {
  const { complaints, duplicates } = await minting(t, 'memory:ids')
  assert.ok(duplicates > 0)
  assert.deepEqual(complaints, [`${duplicates} duplicates, the first is 1`])
})

test('a process that ends by itself is found out', async (t) => {
  const harm = ({ fleet }) => fleet.start(['bogus://127.0.0.1'])
  const { complaints } = await minting(t, storeOf(t).url, { harm })
  assert.deepEqual(complaints, ['process 5 ended by itself: exit 1'])
})

test('a fault that the store did not notice is none', async (t) => {
  const { complaints } = await minting(t, storeOf(t).url, { jumps: 1 })
  assert.deepEqual(complaints, ['the counter jumped 0 times where 1 are due'])
})

test('Snowflake ids of a fleet are under a number for each process', async (t) => {
  const snowflake = { machineRange: [0, 3], firstStart: true }
  const { complaints, ids, duplicates, numbers, leases, turns } = await minting(t, storeOf(t).url, {
    snowflake,
  })
  assert.deepEqual({ complaints, duplicates }, { complaints: [], duplicates: 0 })
  assert.deepEqual({ numbers, leases, turns }, { numbers: 4, leases: 4, turns: 4 })
  assert.ok(ids > 1_000, `${ids} ids`)
})

test('holders of one number that know nothing of each other are found out', async (t) => {
  const { complaints, duplicates, turns } = await minting(t, 'memory:ids', {
    snowflake: { machine: 7 },
  })
  assert.ok(duplicates > 0 && turns > 4)
  assert.match(complaints[0], new RegExp(`^${duplicates} duplicates, the first is \\d+$`))
  assert.deepEqual(complaints.slice(1), [
    `4 leases, and ${turns} turns: two held one number at once`,
  ])
})

test('a lease that was not lost where it is due is found out', async (t) => {
  const harm = ({ fleet }) => {
    Object.assign(fleet.minters[0], { losesWith: ['LEASE_LOST'], hasToMove: true })
  }
  const snowflake = { machine: 7 }
  const { complaints } = await minting(t, 'memory:ids', {
    harm,
    snowflake,
    reports: ['CLOCK_BACKWARDS'],
  })
  for (const due of [
    'nobody was told CLOCK_BACKWARDS',
    'process 1 lost 0 leases where 1 is due',
    'process 1 told nobody LEASE_LOST',
    'process 1 held 7 where two numbers are due',
  ]) {
    assert.ok(complaints.includes(due), complaints.join('\n'))
  }
})

test('what a killed process has minted counts', async (t) => {
  const harm = ({ fleet }) => fleet.minters[0].kill()
  const { complaints, leases, numbers } = await minting(t, storeOf(t).url, {
    harm,
    snowflake: {},
  })
  assert.deepEqual({ complaints, leases, numbers }, { complaints: [], leases: 4, numbers: 4 })
})

test('a scenario that cannot be run here is left out, and told', (t) => {
  t.after(() => Object.assign(process.env, { PATH }))
  const { PATH } = process.env
  process.env.PATH = ''
  const leftOut = noPidNamespaces()
  assert.match(leftOut, /^PID namespaces are not permitted: ./)
  assert.equal(asTable([{ scenario: 'twins', leftOut }]), `twins: LEFT OUT, ${leftOut}\n`)
})

test('a scenario that breaks off has failed, and what it started is stopped', async (t) => {
  let stopped = 0
  const harm = async ({ own }) => {
    for (let i = 0; i < 2; i++) await own({ stop: () => stopped++ })
    throw new Error('no such server')
  }
  const { complaints, ids } = await minting(t, storeOf(t).url, { harm })
  assert.match(complaints.join(), /^the scenario broke off: Error: no such server/)
  assert.ok(ids > 0)
  assert.equal(stopped, 2)
})

test('a server that crashes twice repeats no id', { skip: withoutServers }, async (t) => {
  const args = ['redis', 'two-crashes', '--seconds', '2', '--json', '--no-build']
  const { code, stdout, stderr, left } = await faults(t, args)
  assert.equal(code, 0, stdout + stderr)
  const { failed, scenarios } = JSON.parse(stdout)
  assert.equal(failed, 0)
  assert.equal(scenarios.length, 1)
  const { scenario, ids, duplicates, jumped } = scenarios[0]
  assert.deepEqual({ scenario, duplicates }, { scenario: 'two-crashes', duplicates: 0 })
  assert.ok(ids > 1_000 && jumped > 0, stdout)
  assert.match(stderr, /^▸ two-crashes: .*\n .* 0 duplicates: ok\n$/)
  assert.deepEqual(left, [])
})

test('a holder that is stopped past its ttl repeats no id', { skip: withoutServers }, async (t) => {
  const args = ['lease', 'stopped', '--seconds', '2', '--json', '--no-build']
  const { code, stdout, stderr, left } = await faults(t, args)
  assert.equal(code, 0, stdout + stderr)
  const [{ duplicates, lost, errors }] = JSON.parse(stdout).scenarios
  assert.deepEqual({ duplicates, lost }, { duplicates: 0, lost: 1 })
  assert.deepEqual(
    errors.map(({ code }) => code),
    ['LEASE_LOST'],
  )
  assert.deepEqual(left, [])
})

test('interrupted faults leave nothing behind', { skip: withoutServers }, async (t) => {
  const args = ['redis', 'frozen', '--no-build']
  const { code, stdout, left } = await faults(t, args, { until: /▸ frozen/ })
  assert.equal(code, 130)
  assert.equal(stdout, '')
  assert.deepEqual(left, [])
})

for (const store of Object.keys(SCENARIOS)) {
  test(`faults ${store} --list names every scenario`, async (t) => {
    const { code, stdout } = await faults(t, [store, '--list'])
    assert.equal(code, 0)
    assert.deepEqual(
      stdout.split('\n').map((line) => line.split(' ')[0]),
      [...SCENARIOS[store].map(({ name }) => name), ''],
    )
  })

  test(`the short form of ${store} takes less than a minute`, () => {
    const runs = SHORT[store]
    const seconds = runs.reduce((sum, [, each]) => sum + each, 0)
    // Servers and processes take some time to start and to end.
    assert.ok(seconds + 2 * runs.length <= 60, `${seconds} s and ${runs.length} starts`)
  })
}

for (const [args, named] of [
  [[], 'a store is due'],
  [['bogus'], "no store 'bogus'"],
  [['redis', 'bogus'], "no scenario 'bogus'"],
  [['redis', '--bogus'], '--bogus'],
  [['redis', '--seconds', '1'], "--seconds is '1'"],
  [['redis', '--seconds', '1e1'], "--seconds is '1e1'"],
  [['redis', '--short', '--seconds', '9'], '--seconds'],
  [['redis', 'frozen', '--short'], 'frozen'],
  [['lease', 'slot-move'], "no scenario 'slot-move'"],
]) {
  test(`faults ${args.join(' ')} is refused by name`, async (t) => {
    const { code, stdout, stderr } = await faults(t, args)
    assert.equal(code, 2)
    assert.equal(stdout, '')
    assert.ok(stderr.includes(named), stderr)
  })
}

test('faults --help names every option', async (t) => {
  const { code, stdout } = await faults(t, ['--help'])
  assert.equal(code, 0)
  for (const name of ['list', 'seconds', 'short', 'json', 'no-build', 'help']) {
    assert.match(stdout, new RegExp(`--${name}\\b`))
  }
})
