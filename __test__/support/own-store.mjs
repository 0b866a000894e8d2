// A store as a user would write one for the first time: twenty lines that keep the whole contract.

const LAST_ID = 2n ** 63n - 2n

/** What all clients of one store share, as the rows of a table would be. */
export const newTable = () => ({ last: new Map(), sealed: new Set() })

export class TableStore {
  constructor(table = newTable()) {
    this.table = table
  }

  reserve(key, size, initialOffset) {
    const { last, sealed } = this.table
    if (sealed.has(key)) throw new Error(`${key} is sealed`)
    const before = this.highest(key, initialOffset)
    if (before + size > LAST_ID) throw new Error(`${key} is exhausted`)
    last.set(key, before + size)
    return { start: before + 1n, end: before + size + 1n }
  }

  raise(key, value) {
    this.table.last.set(key, this.highest(key, value + 1n))
  }

  seal(key) {
    this.table.sealed.add(key)
  }

  /** The highest id granted, which a first id puts a lower bound to. */
  highest(key, first) {
    const before = this.table.last.get(key) ?? 0n
    return before >= first ? before : first - 1n
  }
}

/** A store that has only what a store needs, with some of it in place of the usual. */
export function storeWith(methods) {
  const store = new TableStore()
  return { reserve: (...request) => store.reserve(...request), ...methods }
}
