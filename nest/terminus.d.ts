// The public types of mintid/nest/terminus, written by hand and the truth for both `import` and
// `require`. Here, and nothing of terminus is imported, so that they hold for each of its versions.

import type { Health } from '../index.js'

/** What a health check tells: strings and numbers. */
export interface MintIdHealth extends Partial<Omit<Health, 'ok'>> {
  /** `down` while the last reservation of a generator failed, or a machine number is lost. */
  status: 'up' | 'down'
  /** Why there is nothing else to tell. */
  message?: string
}

/** How the store and the generators are, for the health checks of `@nestjs/terminus`. */
export declare class MintIdHealthIndicator {
  /** `ids` is what `getIdsToken()` stands for. */
  constructor(ids: { health(): Health })
  /** Never asks the store: ids in memory are served also while it is away. */
  isHealthy<const Key extends string>(key: Key): Record<Key, MintIdHealth>
}
