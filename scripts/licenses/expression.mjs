// SPDX expressions: under which licences a package may be had, and which of them are taken.

import { StepFailed } from '../steps.mjs'

/**
 * What is taken of an expression: one alternative, as a list of licences that all apply.
 *
 * @param allowed licences, the most welcome first
 */
export function chosen(expression, allowed) {
  const rank = (license) => (allowed.includes(license) ? allowed.indexOf(license) : allowed.length)
  const worst = (licenses) => Math.max(...licenses.map(rank))
  const [best] = alternatives(expression).sort((a, b) => worst(a) - worst(b))
  if (worst(best) < allowed.length) return best
  throw new StepFailed(`'${expression}' has no alternative of ${allowed.join(', ')}`)
}

/** Whether one alternative consists of allowed licences alone. */
export const isAllowed = (expression, allowed) =>
  alternatives(expression).some((licenses) => licenses.every((each) => allowed.includes(each)))

/** An expression as SPDX has it: older manifests of crates have a slash for OR. */
export const normalised = (expression) => expression.replaceAll(/ *\/ */g, ' OR ')

/** The alternatives of an expression, each a list of licences that all apply. */
export function alternatives(expression) {
  const words = normalised(expression).match(/[()]|[^\s()]+/g) ?? []
  const result = anyOf(words)
  if (words.length > 0) throw new StepFailed(`'${expression}' is no SPDX expression`)
  return result
}

function anyOf(words) {
  const result = allOf(words)
  while (words[0] === 'OR') {
    words.shift()
    result.push(...allOf(words))
  }
  return result
}

function allOf(words) {
  let result = one(words)
  while (words[0] === 'AND') {
    words.shift()
    const others = one(words)
    result = result.flatMap((left) => others.map((right) => [...left, ...right]))
  }
  return result
}

function one(words) {
  const word = words.shift()
  if (word === '(') {
    const inner = anyOf(words)
    if (words.shift() !== ')') throw new StepFailed('an SPDX expression lacks a )')
    return inner
  }
  if (word === undefined || [')', 'OR', 'AND', 'WITH'].includes(word)) {
    throw new StepFailed('an SPDX expression lacks a licence')
  }
  if (words[0] !== 'WITH') return [[word]]
  words.shift()
  return [[`${word} WITH ${words.shift()}`]]
}
