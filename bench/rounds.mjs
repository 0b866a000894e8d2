// Loops measured side by side in one process, and what is made of their times.
//
// They alternate in short rounds, so that whatever else the machine does meets all alike; the
// median of the rounds forgets the worst of it.

const ROUNDS = 60
const ROUND_MS = 12
/** Long enough for the optimising compiler to be done with every loop. */
const WARM_UP_MS = 300

/**
 * The median ns a turn of each of `loops`: functions that take a count, do so many turns, and give
 * back what depends on every one of them, so that none can be optimised away.
 *
 * @param before awaited before each round with its count; not measured
 * @param check called after each round with the loop's name, what it gave back, and the count
 * @param most the largest count of a round
 */
export async function measure(loops, { before = () => {}, check, most = Infinity }) {
  async function round(name, count) {
    await before(count)
    const started = process.hrtime.bigint()
    let answer = loops[name](count)
    // A loop without promises is not charged for one.
    if (typeof answer?.then === 'function') answer = await answer
    const nanoseconds = Number(process.hrtime.bigint() - started)
    check(name, answer, count)
    return nanoseconds / count
  }

  async function warmUp(name) {
    let count = Math.min(1_000, most)
    const started = performance.now()
    while (performance.now() - started < WARM_UP_MS) {
      const fitting = Math.round((ROUND_MS * 1e6) / (await round(name, count)))
      count = Math.max(1, Math.min(fitting, most))
    }
    return count
  }

  const names = Object.keys(loops)
  const counts = {}
  for (const name of names) counts[name] = await warmUp(name)
  const times = Object.fromEntries(names.map((name) => [name, []]))
  for (let i = 0; i < ROUNDS; i++) {
    // Each goes first as often as the others.
    const order = i % 2 === 0 ? names : names.toReversed()
    for (const name of order) times[name].push(await round(name, counts[name]))
  }
  return Object.fromEntries(names.map((name) => [name, median(times[name])]))
}

export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/** The answers of several processes as one: the median of each number, the first of the rest. */
export function medians(answers) {
  const [first] = answers
  return Object.fromEntries(
    Object.keys(first).map((key) => {
      const values = answers.map((answer) => answer[key])
      return [key, typeof first[key] === 'number' ? median(values) : first[key]]
    }),
  )
}
