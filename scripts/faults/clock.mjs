// One clock for all processes of this machine, which no change of the date moves.

/** Milliseconds since the machine was started. */
export const now = () => Number(process.hrtime.bigint() / 1_000n) / 1_000
