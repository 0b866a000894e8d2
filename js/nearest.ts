// What somebody may have meant by a name that there is not.

/** More slips than that, or than half of the longer name, make another word. */
const MOST_SLIPS = 3

/** The one of `names` that is nearly `name`, if there is one. */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const [found] = names.toSorted((a, b) => distance(name, a) - distance(name, b))
  if (found === undefined) return undefined
  const most = Math.min(MOST_SLIPS, Math.max(name.length, found.length) / 2)
  return distance(name, found) <= most ? found : undefined
}

/** What to write after a name that there is not: the one that was meant, or all that there are. */
export function hint(name: string, names: readonly string[]): string {
  const meant = nearest(name, names)
  return meant === undefined ? names.join(', ') : `did you mean ${meant}?`
}

/** The Levenshtein distance, without regard to case. */
function distance(from: string, to: string): number {
  const [a, b] = [from.toLowerCase(), to.toLowerCase()]
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
