// Must not compile: an id of one generator as another's.

import { createIds, type Id } from 'mintid'

export const bill: Id<'bills'> = await createIds('memory:').segment('orders').next()
