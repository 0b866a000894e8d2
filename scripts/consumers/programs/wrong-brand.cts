// Must not compile: an id of one generator as another's.

import mintid = require('mintid')

export const bill = (order: mintid.Id<'orders'>): mintid.Id<'bills'> => order
