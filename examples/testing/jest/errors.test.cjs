const { createIds, MintIdError } = require('mintid')

test('failures are of the class that the test imports, though Jest has an Error of its own', () => {
  expect(() => createIds('nowhere:')).toThrow(MintIdError)
  expect(() => createIds('memory:').segment('a/b')).toThrow(MintIdError)
})
