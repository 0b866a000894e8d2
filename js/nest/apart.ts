import type { Provider } from '@nestjs/common'

let calls = 0

/**
 * What keeps two dynamic modules apart. Nest 10 takes those for one whose metadata read alike, and
 * so would serve a store from the options of another. Options themselves are not shown to it: it
 * writes what it reads as JSON, which has no bigint.
 */
export const apart = (): Provider => ({ provide: 'mintid:call', useValue: ++calls })
