// `mintid next`: reserves ids and prints them.

import type { SegmentGenerator } from '../../index.js'
import type { Given } from './arguments.js'
import { type Command, DONE } from './command.js'
import { MOST_IDS } from './flags.js'
import { print } from './output.js'
import { Progress } from './progress.js'
import { withStore } from './store.js'
import { typed, wholeNumber } from './usage.js'

/** Ids per write: few enough to be held as text, enough for a write to be worth it. */
const PIECE = 8192n

/** What is printed around the ids. */
interface Frame {
  readonly first: string
  readonly between: string
  readonly last: string
}

export const next: Command = {
  name: 'next',
  places: ['NAME'],
  flags: ['count', 'allow-create'],
  summary: 'reserves ids of a counter and prints them',
  about:
    'Reserves COUNT ids of the counter NAME, no more, and prints them, one a line. They are above ' +
    'all that was reserved before. A counter that is not there is created.',
  run,
}

async function run(given: Given): Promise<number> {
  const name = given.places[0] as string
  const count = wholeNumber('COUNT', (given.flags.get('count') ?? '1') as string, 1n, MOST_IDS)
  const frame = given.flags.has('json') ? jsonFrame(name) : LINES
  await withStore(given, async (ids) => {
    await printIds(
      typed(() => ids.segment(name)),
      Number(count),
      frame,
    )
  })
  return DONE
}

async function printIds(counter: SegmentGenerator, count: number, frame: Frame): Promise<void> {
  const progress = new Progress(count)
  try {
    let before = frame.first
    let printed = 0
    for await (const piece of pieces(counter, count)) {
      progress.show(printed)
      await print(before + piece.join(frame.between))
      before = frame.between
      printed += piece.length
    }
    await print(frame.last)
  } finally {
    progress.end()
  }
}

/** `count` ids, reserved at once unless the store grants less, in pieces for printing. */
async function* pieces(counter: SegmentGenerator, count: number): AsyncGenerator<bigint[]> {
  for (let missing = count; missing > 0; ) {
    const { start, end } = await counter.nextRange(missing)
    for (let at: bigint = start; at < end; at += PIECE) {
      const length = end - at < PIECE ? end - at : PIECE
      const first = at
      yield Array.from({ length: Number(length) }, (_, i) => first + BigInt(i))
    }
    missing -= Number(end - start)
  }
}

const LINES: Frame = { first: '', between: '\n', last: '\n' }

/** Ids are strings in JSON: a reader's numbers would round them. */
function jsonFrame(name: string): Frame {
  return { first: `{"name":${JSON.stringify(name)},"ids":["`, between: '","', last: '"]}\n' }
}
