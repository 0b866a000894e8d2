import assert from 'node:assert/strict'

export function assertGrowing(ids) {
  for (let i = 1; i < ids.length; i++) {
    if (ids[i] <= ids[i - 1]) assert.fail(`${ids[i]} after ${ids[i - 1]}, at ${i}`)
  }
}

export function assertDistinct(ids) {
  assert.equal(new Set(ids).size, ids.length, 'an id came twice')
}

/** The numbers of `stats` that are about ids: every id reserved is in one of the other three. */
export function assertAddsUp({ issued, reserved, wasted, remaining }) {
  assert.equal(issued + wasted + remaining, reserved)
}
