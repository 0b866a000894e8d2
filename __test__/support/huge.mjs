// Counts that take minutes: a part of them in every run, all of them in `npm run soak`.

/** What the soak sets for the tests that it runs. */
export const WHOLE = 'MINTID_SOAK'

export const isWhole = process.env[WHOLE] === 'whole'

export const huge = (count) => (isWhole ? count : Math.ceil(count / 100))
