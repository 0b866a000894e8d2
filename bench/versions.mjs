// Asks the same of every version of Node, in turn and several times over.

import { runNode } from './programs.mjs'
import { Progress } from './progress.mjs'
import { median, medians } from './rounds.mjs'

/** A process can be unlucky as a whole, in where its code and its heap lie. */
const PASSES = 3

/**
 * Runs `file` on every version, and makes a row of each.
 *
 * @param toFigure the figure, from what the file printed
 */
export async function askVersions({ question, nodes, file, toFigure }) {
  const answers = nodes.map(() => [])
  const progress = new Progress(PASSES * nodes.length)
  for (let pass = 1; pass <= PASSES; pass++) {
    for (const [i, { major, path }] of nodes.entries()) {
      answers[i].push(await runNode(path, file))
      progress.step(`Node ${major}, pass ${pass} of ${PASSES}`)
    }
  }
  return nodes.map(({ major, judged }, i) => ({
    name: `${question.name} on Node ${major}`,
    figure: median(answers[i].map(toFigure)),
    limit: judged ? question.limit : null,
    ...(judged && question.aim !== undefined && { aim: question.aim }),
    detail: medians(answers[i]),
  }))
}
