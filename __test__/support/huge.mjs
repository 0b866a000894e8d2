// Counts that take minutes: a hundredth of them in every run, all of them in `npm run soak`.

import { WHOLE } from '../../scripts/soak/whole.mjs'

export const isWhole = process.env[WHOLE.name] === WHOLE.value

export const huge = (count) => (isWhole ? count : Math.ceil(count / 100))
