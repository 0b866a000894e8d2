// An id in a path: refused before any handler sees it, and a bigint of the right brand for them.

import type { IdParam, IdReader } from '../../express.js'
import type { Id } from '../../index.js'
import { checkNamed, hasMethods } from '../http/options.js'
import { MintIdError } from '../index.js'

const CHECKS = {
  generator: {
    isValid: hasMethods('id'),
    expected: 'expected a generator, such as ids.segment("orders")',
    isRequired: true,
  },
}

export function idParam<const Name extends string>(generator: IdReader<Name>): IdParam<Name> {
  checkNamed({ generator }, CHECKS)
  /** By request and not in it: `req.params` is text by its types, and a property has no brand. */
  const found = new WeakMap<object, { param: string; id: Id<Name> }>()

  const handler: Omit<IdParam<Name>, 'of'> & { of?: IdParam<Name>['of'] } = (
    req: object,
    _res: unknown,
    next: (error?: unknown) => void,
    value: string,
    param: string,
  ) => {
    const other = found.get(req)
    if (other !== undefined && other.param !== param) {
      next(ambiguous(generator.name, other.param, param))
      return
    }
    try {
      found.set(req, { param, id: generator.id(value) })
    } catch (error) {
      next(error)
      return
    }
    next()
  }
  // A path without the parameter, where it may be left out, is refused as every other bad one.
  const of = (req: object): Id<Name> => found.get(req)?.id ?? generator.id('')
  return Object.assign(handler, { of }) as IdParam<Name>
}

/** `of` could give one of them only, and a wrong id looks like a right one. */
function ambiguous(name: string, one: string, other: string): MintIdError {
  const what = `idParam of "${name}" stands for :${one} and for :${other} of one path`
  return new MintIdError('ERR_MINTID_CONFIG_INVALID', `${what}: make one for each parameter`)
}
