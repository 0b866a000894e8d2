// How much an id costs in Rust, beside the one atomic addition that it cannot do without.

import { runRust } from '../programs.mjs'
import { medians } from '../rounds.mjs'

/** Who else uses the machine, and where the program's memory lies, differs from run to run. */
const PROCESSES = 5

export const question = {
  name: 'rust',
  title: 'engine in Rust, one thread, try_next ÷ AtomicU64::fetch_add',
  unit: '×',
  limit: 3,
  aim: 1.5,
  programs: ['draw'],
  async ask() {
    const answers = []
    for (let i = 0; i < PROCESSES; i++) answers.push(await runRust('draw'))
    return answers[0].map(({ policy }, row) => {
      const detail = medians(answers.map((answer) => withRatio(answer[row])))
      const { ratio, ...rest } = detail
      const name = `${question.name}, ${policy}`
      return { name, figure: ratio, limit: question.limit, aim: question.aim, detail: rest }
    })
  },
}

const withRatio = ({ policy, ...figures }) => ({
  ...figures,
  ratio: figures.tryNext / figures.floor,
})
