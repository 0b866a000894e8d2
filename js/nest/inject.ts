// The decorators. What a parameter or property may be of is checked by their types in nest.d.ts.

import { Inject } from '@nestjs/common'
import { getGeneratorToken, getIdsToken } from './tokens.js'

export const InjectIds = () => Inject(getIdsToken())

export const InjectGenerator = (name: string) => Inject(getGeneratorToken(name))
