// What came of a scenario: the ids of all processes merged, the figures, and what is wrong with
// them.

import { existsSync } from 'node:fs'
import { countIds, merge } from '../demo/merge.mjs'
import { turnsAtNumbers } from './turns.mjs'

/** `reserveTimeout`, which is how long a caller waits at most, and what a busy machine adds. */
const LONGEST_WAIT_MS = 3_000
const SLACK_MS = 500
/** The longest pause between two tries, and the same. */
const LONGEST_GAP_MS = 5_000 + SLACK_MS
/** A process that got no id for so long before the end was not served then. */
const LAST_MS = 1_500

/** The figures of a fleet that has been stopped, held against what its scenario says. */
export function judge(fleet, scenario) {
  const { minters, outages } = fleet
  const reports = minters.map(({ report }) => report).filter((report) => report !== undefined)
  const events = sumUp(reports.map((report) => report.events))
  const figures = {
    ...mergedIds(minters.flatMap(({ files }) => files)),
    longestWaitMs: Math.round(longestWait(minters)),
    errors: errorsOf(reports),
    ...(scenario.snowflake ? leaseFigures(minters, events) : rangeFigures(events)),
    gapMs: Math.round(longestGap(minters, outages)),
  }
  const complaints = [...complaintsOf(figures, fleet, scenario), ...fleet.complaints]
  return { ...figures, complaints }
}

const rangeFigures = (events) => ({
  jumped: events.jumped ?? 0,
  wentBack: events.storeWentBack ?? 0,
  refills: events.refill ?? 0,
})

const leaseFigures = (minters, events) => ({
  ...turnsAtNumbers(minters.map(({ files }) => withIds(files))),
  // Nobody tells of a process that was killed: it has had one.
  leases: (events.leaseAcquired ?? 0) + minters.filter(({ isKilled }) => isKilled).length,
  lost: events.leaseLost ?? 0,
})

function* complaintsOf(figures, { minters, minted: got }, scenario) {
  const { jumps = 0, reports = [], gapMs: mostGapMs = LONGEST_GAP_MS } = scenario
  const { ids, duplicates, firstDuplicate, longestWaitMs, gapMs, jumped, errors } = figures
  const { turns, leases } = figures
  if (ids === 0) yield 'no id was minted'
  if (ids < got) yield `${ids} ids were written down of ${got} that were got`
  if (duplicates > 0) yield `${duplicates} duplicates, the first is ${firstDuplicate}`
  if (longestWaitMs > LONGEST_WAIT_MS + SLACK_MS) yield `a caller waited ${longestWaitMs} ms`
  if (gapMs > mostGapMs) yield `no id for ${gapMs} ms while the store was there`
  if (turns > leases) yield `${leases} leases, and ${turns} turns: two held one number at once`
  if (jumped < jumps) yield `the counter jumped ${jumped} times where ${jumps} are due`
  for (const code of reports) {
    if (!errors.some((error) => error.code === code)) yield `nobody was told ${code}`
  }
  for (const minter of minters) yield* complaintsOfOne(minter)
}

function* complaintsOfOne({ name, broken, report, mayBeRefused, losesWith, hasToMove }) {
  if (broken !== undefined) yield `${name} ${broken}`
  if (report === undefined) return
  const { silentAtLastMs, events, errors, machines } = report
  if (!mayBeRefused && silentAtLastMs > LAST_MS) {
    yield `${name} got no id in its last ${silentAtLastMs} ms`
  }
  if (losesWith) {
    if (events.leaseLost !== 1) yield `${name} lost ${events.leaseLost ?? 0} leases where 1 is due`
    if (losesWith.length > 0 && !errors.some(({ code }) => losesWith.includes(code))) {
      yield `${name} told nobody ${losesWith.join(' or ')}`
    }
  }
  if (hasToMove && !(machines.length === 2 && machines[0] !== machines[1])) {
    yield `${name} held ${machines.join(', then ') || 'no number'} where two numbers are due`
  }
}

/** Sorts and compares the ids of all processes; none are no figures. */
function mergedIds(files) {
  const written = withIds(files)
  if (written.length === 0) return { ids: 0, duplicates: 0 }
  const { ids, duplicates, firstDuplicate, highest } = merge(written)
  return { ids, duplicates, firstDuplicate, highest }
}

const withIds = (files) => files.filter((file) => existsSync(file) && countIds(file) > 0)

function errorsOf(reports) {
  const errors = new Map()
  for (const { code, count, example } of reports.flatMap((report) => report.errors)) {
    const seen = errors.get(code)
    if (seen) seen.count += count
    else errors.set(code, { code, count, example })
  }
  return [...errors.values()].sort((one, other) => other.count - one.count)
}

function sumUp(counts) {
  const sums = {}
  for (const [name, count] of counts.flatMap(Object.entries)) sums[name] = (sums[name] ?? 0) + count
  return sums
}

/** The longest that a caller waited while its process was running. */
function longestWait(minters) {
  const waits = minters.flatMap(({ report, pauses }) =>
    (report?.waits ?? []).map((wait) => {
      const parts = without(wait, pauses).map(([from, to]) => to - from)
      return parts.reduce((sum, ms) => sum + ms, 0)
    }),
  )
  return Math.max(0, ...waits)
}

/** The longest time in which a process got no id, though it was running and the store not away. */
function longestGap(minters, outages) {
  const gaps = minters
    .filter(({ report, mayBeRefused }) => report !== undefined && !mayBeRefused)
    .flatMap(({ report, pauses }) =>
      report.silences.flatMap((silence) => without(silence, [...outages, ...pauses])),
    )
    .map(([from, to]) => to - from)
  return Math.max(0, ...gaps)
}

/** What is left of a time when others are cut out of it. */
function without(time, others) {
  return others.reduce(
    (left, [start, end]) =>
      left
        .flatMap(([from, to]) => [
          [from, Math.min(to, start)],
          [Math.max(from, end), to],
        ])
        .filter(([from, to]) => to > from),
    [time],
  )
}
