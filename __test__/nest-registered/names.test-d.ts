// What the types of mintid/nest refuse once an application has registered its generators. Checked by
// `tsc`, never run.

import { defineConfig, type SegmentGenerator, type SnowflakeGenerator } from 'mintid'
import { type GeneratorName, getGeneratorToken, InjectGenerator, MintIdModule } from 'mintid/nest'

const config = defineConfig({
  store: 'memory:',
  generators: { orders: { step: 10 }, events: { strategy: 'snowflake' } },
})

declare module 'mintid/nest' {
  interface Register {
    config: typeof config
  }
}

export class Desk {
  @InjectGenerator('events') readonly property!: SnowflakeGenerator<'events'>
  // @ts-expect-error: of the other kind
  @InjectGenerator('events') readonly wrong!: SegmentGenerator<'events'>

  constructor(
    @InjectGenerator('orders') readonly orders: SegmentGenerator<'orders'>,
    @InjectGenerator('events') readonly events: SnowflakeGenerator<'events'>,
    // @ts-expect-error: of the other kind
    @InjectGenerator('events') readonly dense: SegmentGenerator<'events'>,
    // @ts-expect-error: of the other kind
    @InjectGenerator('orders') readonly timed: SnowflakeGenerator<'orders'>,
    // @ts-expect-error: there is no such generator
    @InjectGenerator('order') readonly misspelt: unknown,
  ) {}
}

export function names(text: string): void {
  MintIdModule.forRoot({ config })
  const name: GeneratorName = 'orders'
  getGeneratorToken(name)
  // @ts-expect-error: there is no such generator
  getGeneratorToken('order')
  // @ts-expect-error: it may be any
  getGeneratorToken(text)
}
