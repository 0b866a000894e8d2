// How far the mixed load is, and what came of it.

import { grouped } from '../demo/progress.mjs'

const PARTS = 10

/** A line that is written over on a terminal, and one for each tenth of the time elsewhere. */
export class Watch {
  #load
  #ms
  #out
  #started = performance.now()
  #part = 0

  constructor(load, ms, out) {
    this.#load = load
    this.#ms = ms
    this.#out = out
  }

  show() {
    const done = Math.min((performance.now() - this.#started) / this.#ms, 1)
    const { minted, refused } = this.#load.figures
    const { kill, pause, terminate } = this.#load.harmed
    const line =
      `${`${Math.floor(done * 100)} %`.padStart(5)}  ${grouped(minted)} ids, ` +
      `${kill} kills, ${pause} pauses, ${terminate} threads terminated, ${refused} calls refused`
    const part = Math.floor(done * PARTS)
    if (this.#out.isTTY) this.#out.write(`\r${line}\x1b[K`)
    else if (part > this.#part) this.#out.write(`${line}\n`)
    this.#part = part
  }

  /** Leaves the line, so that what follows begins on one of its own. */
  end() {
    if (this.#out.isTTY) this.#out.write('\n')
  }
}

export function figuresOf({ seen, harmed, figures, started }) {
  return {
    ids: seen.ids,
    duplicates: seen.duplicates,
    outOfOrder: seen.outOfOrder,
    gaps: seen.gaps,
    highest: seen.highest,
    refused: figures.refused,
    processes: started,
    killed: harmed.kill,
    paused: harmed.pause,
    terminated: harmed.terminate,
  }
}

export function asTable(figures, firstDuplicate) {
  const rows = [
    ['ids', figures.ids, 'all compared'],
    [
      'duplicates',
      figures.duplicates,
      figures.duplicates > 0 ? `the first is ${firstDuplicate}` : '',
    ],
    ['out of order', figures.outOfOrder, 'ids lower than the one before in their thread'],
    ['gaps', figures.gaps, `ids missing up to ${grouped(figures.highest)}`],
    ['calls refused', figures.refused, 'that may be retried, or gave up by themselves'],
    ['processes', figures.processes, `${figures.killed} killed, ${figures.paused} pauses`],
    ['threads terminated', figures.terminated, ''],
  ].map(([name, figure, remark]) => [name, grouped(figure), remark])
  const names = Math.max(...rows.map(([name]) => name.length))
  const widths = Math.max(...rows.map(([, figure]) => figure.length))
  return rows
    .map((row) => `${row[0].padEnd(names)}  ${row[1].padStart(widths)}  ${row[2]}`.trimEnd())
    .map((line) => `${line}\n`)
    .join('')
}
