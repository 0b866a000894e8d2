// Counts that take minutes: a hundredth of them in every run, all of them in `npm run soak`.

/** What the soak sets for the tests it runs. */
export const WHOLE = 'MINTID_SOAK_WHOLE'

export const huge = (count) => (process.env[WHOLE] === undefined ? Math.ceil(count / 100) : count)
