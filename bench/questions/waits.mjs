// Whether anybody waits while a steady load draws on a store that takes its time.

import { runRust } from '../programs.mjs'

export const question = {
  name: 'waits',
  title: 'callers that waited, 100,000 ids/s against a store of 50 ms, after the first second',
  unit: 'callers',
  limit: 0,
  programs: ['steady'],
  async ask() {
    const detail = await runRust('steady')
    return [{ name: question.name, figure: detail.waits, limit: question.limit, detail }]
  },
}
