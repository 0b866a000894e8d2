// Tests that fail, to see what their runner makes of it: test.mjs runs them.

const { createTestIds } = require('mintid/testing')

test('an id that is not the expected one', async () => {
  expect(await createTestIds().ids.segment('tickets').next()).toBe(2n)
})

test('a batch that is not the expected one', async () => {
  const batch = await createTestIds().ids.segment('tickets').nextBatch(3)
  expect(batch).toEqual(BigUint64Array.of(1n, 2n, 4n))
})

test('a failure that nobody caught', async () => {
  const { ids, store } = createTestIds()
  store.fail('the disk is full')
  await ids.segment('tickets').next()
})
