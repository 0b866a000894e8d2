// What came of a scenario: the ids of all processes merged, the figures, and what is wrong with
// them.

import { existsSync } from 'node:fs'
import { countIds, merge } from '../demo/merge.mjs'

/** `reserveTimeout`, which is how long a caller waits at most, and what a busy machine adds. */
const LONGEST_WAIT_MS = 3_000
const SLACK_MS = 500
/** The longest pause between two tries, and the same. */
const LONGEST_GAP_MS = 5_000 + SLACK_MS
/** A process that got no id for so long before the end was not served then. */
const LAST_MS = 1_500

/** The figures of a fleet that has been stopped; `jumps` is how often a counter had to jump. */
export function judge(fleet, { jumps = 0 }) {
  const { minters, outages } = fleet
  const reports = minters.map(({ report }) => report).filter((report) => report !== undefined)
  const events = sumUp(reports.map((report) => report.events))
  const figures = {
    ...mergedIds(minters.map(({ file }) => file)),
    longestWaitMs: Math.round(longestWait(minters)),
    errors: errorsOf(reports),
    jumped: events.jumped ?? 0,
    wentBack: events.storeWentBack ?? 0,
    refills: events.refill ?? 0,
    gapMs: Math.round(longestGap(minters, outages)),
  }
  return { ...figures, complaints: [...complaintsOf(figures, fleet, jumps), ...fleet.complaints] }
}

function* complaintsOf(figures, { minters, minted: got }, jumps) {
  const { ids, duplicates, firstDuplicate, longestWaitMs, gapMs, jumped } = figures
  if (ids === 0) yield 'no id was minted'
  if (ids < got) yield `${ids} ids were written down of ${got} that were got`
  if (duplicates > 0) yield `${duplicates} duplicates, the first is ${firstDuplicate}`
  if (longestWaitMs > LONGEST_WAIT_MS + SLACK_MS) yield `a caller waited ${longestWaitMs} ms`
  if (gapMs > LONGEST_GAP_MS) yield `no id for ${gapMs} ms while the store was there`
  if (jumped < jumps) yield `the counter jumped ${jumped} times where ${jumps} are due`
  for (const { name, broken, report, mayBeRefused } of minters) {
    if (broken !== undefined) yield `${name} ${broken}`
    if (report === undefined || mayBeRefused) continue
    const { silentAtLastMs } = report
    if (silentAtLastMs > LAST_MS) yield `${name} got no id in its last ${silentAtLastMs} ms`
  }
}

/** Sorts and compares the ids of all processes; none are no figures. */
function mergedIds(files) {
  const written = files.filter((file) => existsSync(file) && countIds(file) > 0)
  if (written.length === 0) return { ids: 0, duplicates: 0 }
  const { ids, duplicates, firstDuplicate, highest } = merge(written)
  return { ids, duplicates, firstDuplicate, highest }
}

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
