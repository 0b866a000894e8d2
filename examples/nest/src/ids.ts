// The generators of this service. Registered, so that `@InjectGenerator('order')` does not compile.

import { defineConfig } from 'mintid'

export const config = defineConfig({
  store: process.env.MINTID_URL ?? 'sqlite:orders.db',
  generators: {
    orders: {},
    // Set once, for the very first deployment: an empty Redis may also be one that lost its leases.
    journal: { strategy: 'snowflake', firstStart: process.env.FIRST_START === 'true' },
  },
})

declare module 'mintid/nest' {
  interface Register {
    config: typeof config
  }
}
