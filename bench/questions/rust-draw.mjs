// How much an id costs in Rust, beside the one atomic addition that it cannot do without.

import { runRust } from '../programs.mjs'

export const question = {
  name: 'rust',
  title: 'engine in Rust, one thread, try_next ÷ AtomicU64::fetch_add',
  unit: '×',
  limit: 3,
  aim: 1.5,
  programs: ['draw'],
  async ask() {
    const policies = await runRust('draw')
    return policies.map(({ policy, ...detail }) => ({
      name: `${question.name}, ${policy}`,
      figure: detail.tryNext / detail.floor,
      limit: question.limit,
      aim: question.aim,
      detail,
    }))
  },
}
