// The contract of stores on a store of the user's own: what passes, and what is named.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { verifyRangeStore } from 'mintid'
import { assertRefused } from './support/failure.mjs'
import { newTable, TableStore } from './support/own-store.mjs'

/** Judges clients of one table. */
function judge(Store) {
  const table = newTable()
  return verifyRangeStore(() => new Store(table))
}

const only = (...methods) =>
  class {
    constructor(table) {
      const store = new TableStore(table)
      for (const name of methods) this[name] = (...given) => store[name](...given)
    }
  }

/** One that asks a database, which takes its time. */
class AsyncStore extends TableStore {
  async reserve(...request) {
    await turn()
    const range = super.reserve(...request)
    await turn()
    return range
  }

  async raise(...request) {
    await turn()
    super.raise(...request)
  }

  async seal(key) {
    await turn()
    return super.seal(key)
  }
}

/** One that counts in doubles, and ends where they do. */
class NumberStore {
  constructor(table) {
    this.table = table
  }

  reserve(key, size, initialOffset) {
    const before = Math.max(this.table.last.get(key) ?? 0, Number(initialOffset) - 1)
    const last = before + Number(size)
    if (last >= Number.MAX_SAFE_INTEGER) throw new RangeError('too large')
    this.table.last.set(key, last)
    return { start: before + 1, end: last + 1 }
  }
}

/** One whose errors say what kind of refusal they are. */
class CodedStore extends TableStore {
  reserve(...request) {
    try {
      return super.reserve(...request)
    } catch (error) {
      const kind = this.table.sealed.has(request[0]) ? 'SEALED' : 'EXHAUSTED'
      throw Object.assign(error, { code: `ERR_MINTID_RANGE_${kind}` })
    }
  }
}

for (const [what, Store] of Object.entries({
  'of twenty lines': TableStore,
  'without raise and seal': only('reserve'),
  'without raise': only('reserve', 'seal'),
  'without seal': only('reserve', 'raise'),
  'that answers later': AsyncStore,
  'that counts in doubles': NumberStore,
  'that gives reasons': CodedStore,
})) {
  test(`a good store ${what} breaks nothing`, async () => {
    assert.deepEqual(await judge(Store), [])
  })
}

const BAD = {
  S1: class ReadsThenWrites extends TableStore {
    async reserve(key, size, initialOffset) {
      if (!this.table.last.has(key)) return super.reserve(key, size, initialOffset)
      const before = this.table.last.get(key)
      await turn()
      this.table.last.set(key, before)
      return super.reserve(key, size, initialOffset)
    }
  },
  S2: class BeginsAtOne extends TableStore {
    reserve(key, size) {
      return super.reserve(key, size, 1n)
    }
  },
  S3: class GrantsWholeTens extends TableStore {
    reserve(key, size, initialOffset) {
      return super.reserve(key, ((size + 9n) / 10n) * 10n, initialOffset)
    }
  },
  S4: class GivesBackAtClose extends TableStore {
    reserve(...request) {
      const range = super.reserve(...request)
      this.giveBack = () => this.table.last.set(request[0], range.start - 1n)
      return range
    }

    close() {
      this.giveBack?.()
    }
  },
  S5: class Wraps extends TableStore {
    reserve(key, size, initialOffset) {
      const before = this.highest(key, initialOffset)
      if (this.table.sealed.has(key) || BigInt.asIntN(64, before + size) === before + size) {
        return super.reserve(key, size, initialOffset)
      }
      this.table.last.set(key, 0n)
      return super.reserve(key, 1n, 1n)
    }
  },
  S6: class DeletesWhatIsSealed extends TableStore {
    seal(key) {
      this.table.last.delete(key)
    }
  },
  S7: class SetsWhatItShouldRaise extends TableStore {
    raise(key, value) {
      this.table.last.set(key, value)
    }
  },
}

for (const [invariant, Store] of Object.entries(BAD)) {
  test(`${invariant} is named for a store that breaks it: ${Store.name}`, async () => {
    const broken = await judge(Store)
    assert.ok(broken.length > 0)
    for (const each of broken) {
      assert.deepEqual(Object.keys(each), ['invariant', 'what'])
      assert.equal(each.invariant, invariant, each.what)
      assert.doesNotMatch(each.what, /undefined|\[object|\n/)
    }
  })
}

/** What is broken, without saying twice what was seen. */
async function namesOf(Store) {
  const broken = await judge(Store)
  return [...new Set(broken.map(({ invariant }) => invariant))]
}

test('a store that forgets what was granted when another client comes breaks S7', async () => {
  const names = await namesOf(
    class Forgets extends TableStore {
      constructor(table) {
        table.last.clear()
        super(table)
      }
    },
  )
  assert.deepEqual(names, ['S4', 'S7'])
})

test('a store that passes the last id breaks S5, with raise and without', async () => {
  class Endless extends TableStore {
    reserve(key, size, initialOffset) {
      if (this.table.sealed.has(key)) throw new Error('sealed')
      const before = this.highest(key, initialOffset)
      this.table.last.set(key, before + size)
      return { start: before + 1n, end: before + size + 1n }
    }
  }
  assert.deepEqual(await namesOf(Endless), ['S5'])
  const table = newTable()
  const store = new Endless(table)
  const broken = await verifyRangeStore(() => ({ reserve: (...given) => store.reserve(...given) }))
  assert.deepEqual(
    broken.map(({ invariant }) => invariant),
    ['S5'],
  )
  assert.match(broken[0].what, /granted \[9223372036854775797, 9223372036854775817\)/)
})

test('a negative answer where none is due is no refusal', async () => {
  const broken = await judge(
    class WrapsAround extends TableStore {
      reserve(key, size, initialOffset) {
        if (this.table.sealed.has(key)) throw new Error('sealed')
        const before = this.highest(key, initialOffset)
        const last = BigInt.asIntN(64, before + size)
        if (last > before) return super.reserve(key, size, initialOffset)
        return { start: before + 1n, end: last }
      }
    },
  )
  assert.deepEqual([...new Set(broken.map(({ invariant }) => invariant))], ['S5'])
  assert.match(broken[0].what, /end: -\d+n \}: expected/)
})

test('a refusal for another reason than the one that is due is told', async () => {
  const broken = await judge(
    class Mistaken extends CodedStore {
      reserve(...request) {
        try {
          return super.reserve(...request)
        } catch (error) {
          throw Object.assign(error, { code: 'ERR_MINTID_RANGE_EXHAUSTED' })
        }
      }
    },
  )
  assert.deepEqual(
    broken.map(({ invariant }) => invariant),
    ['S6', 'S6'],
  )
  assert.match(broken[0].what, /ERR_MINTID_RANGE_EXHAUSTED, and ERR_MINTID_RANGE_SEALED is due/)
})

test('a store that tells the last id in place of the end breaks S3', async () => {
  const [first] = await judge(
    class Inclusive extends TableStore {
      reserve(...request) {
        const { start, end } = super.reserve(...request)
        return { start, end: end - 1n }
      }
    },
  )
  assert.equal(first.invariant, 'S3')
  assert.match(first.what, /answered with \[1, 1\), which holds no id/)
})

test('a store that takes two keys for one is told', async () => {
  const names = await namesOf(
    class IgnoresCase extends TableStore {
      reserve(key, size, initialOffset) {
        return super.reserve(key.toLowerCase(), size, initialOffset)
      }

      raise(key, value) {
        super.raise(key.toLowerCase(), value)
      }

      seal(key) {
        super.seal(key.toLowerCase())
      }
    },
  )
  assert.deepEqual(names, ['keys'])
})

test('a store that hangs is told, and judged no further', async () => {
  const broken = await judge(
    class Hangs {
      reserve() {
        return new Promise(() => {})
      }
    },
  )
  assert.deepEqual(broken, [{ invariant: 'S1', what: 'reserve did not answer within 3000 ms' }])
})

for (const [what, reserve, expected] of [
  [
    'throws',
    () => {
      throw new Error('out of order')
    },
    /reserve\(.*\) failed: .*out of order/,
  ],
  ['rejects', () => Promise.reject(new Error('out of order')), /out of order/],
  [
    'throws what is no error',
    () => {
      throw null
    },
    /refused: null/,
  ],
  ['answers nothing', () => undefined, /reserve answered undefined: expected/],
  ['answers text', async () => '1-100', /reserve answered "1-100": expected/],
  ['answers fractions', () => ({ start: 1, end: 1.5 }), /answered \{ start: 1, end: 1.5 \}/],
  ['answers text as bounds', () => ({ start: '1', end: '11' }), /\{ start: "1", end: "11" \}/],
]) {
  test(`a store that ${what} is told so of each invariant`, async () => {
    const broken = await judge(
      class {
        reserve(...request) {
          return reserve(...request)
        }
      },
    )
    const names = broken.map(({ invariant }) => invariant)
    for (const invariant of ['S1', 'S2', 'S3', 'S4', 'S7']) assert.ok(names.includes(invariant))
    assert.match(broken[0].what, expected)
  })
}

for (const [what, makeStore, expected] of [
  [
    'throws',
    () => {
      throw new Error('no database')
    },
    'no database',
  ],
  ['gives nothing', () => undefined, 'store = undefined: expected a method reserve'],
  ['gives a promise', async () => new TableStore(), 'expected a method reserve'],
]) {
  test(`a makeStore that ${what} is told as such`, async () => {
    const [only, ...others] = await verifyRangeStore(makeStore)
    assert.deepEqual(others, [])
    assert.equal(only.invariant, 'client')
    assert.ok(only.what.includes(expected), only.what)
  })
}

test('what is no function is refused', async () => {
  await assertRefused(() => verifyRangeStore({}), 'makeStore', {}, 'expected a function')
})

test('each client is closed once', async () => {
  const [made, closed] = [new Set(), []]
  const broken = await judge(
    class extends TableStore {
      constructor(table) {
        super(table)
        made.add(this)
      }

      close() {
        closed.push(this)
      }
    },
  )
  assert.deepEqual(broken, [])
  assert.equal(closed.length, made.size)
  assert.deepEqual(new Set(closed), made)
})

test('a close that fails is told', async () => {
  const broken = await judge(
    class extends TableStore {
      close() {
        throw new Error('still busy')
      }
    },
  )
  assert.deepEqual(
    broken.map(({ invariant }) => invariant),
    ['S4'],
  )
  assert.match(broken[0].what, /close failed: .*refused: still busy/)
})
