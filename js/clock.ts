// The clocks, taken before a test puts clocks of its own in their place.

/** The time of day, in ms. */
export const wallClock = Date.now

const { bigint } = process.hrtime

/**
 * Milliseconds that grow with time. `performance.now` would do; Node loads what it belongs to when it
 * is first named, which takes longer than all else before the first id.
 */
export const monotonic = (): number => Number(bigint()) / 1e6
