// What scenarios of leases share: short terms, so that a lease that nobody renews ends soon, and the
// first process of a store.

export const TTL_MS = 3_000
export const HEARTBEAT_MS = 750
/** How far clocks may differ, and with it how long newcomers wait for a table that lost something. */
export const MAX_CLOCK_SKEW_MS = 500
/** What a busy machine adds, and the pause between two tries of a claim. */
export const SLACK_MS = 1_500

/** Options of Snowflake ids under one of the machine numbers below `count`. */
export const leased = (count, { maxClockSkew = MAX_CLOCK_SKEW_MS } = {}) => ({
  machineRange: [0, count - 1],
  lease: { ttl: TTL_MS, heartbeat: HEARTBEAT_MS, maxClockSkew, failoverWindow: 0 },
})

/** Nobody is without a number for longer where one comes free by the death of its holder. */
export const LONGEST_CLAIM_MS = TTL_MS + SLACK_MS

/** The same where the table may have forgotten who used what. */
export const LONGEST_FRESH_MS = TTL_MS + MAX_CLOCK_SKEW_MS + HEARTBEAT_MS + SLACK_MS

/**
 * Starts a process that makes the lease table, and ends it. Only this one knows that the table is
 * new: the others have to find out by themselves whether it lost something.
 */
export async function found(fleet, store, snowflake) {
  const founder = await fleet.newcomer(store, {}, { snowflake: { ...snowflake, firstStart: true } })
  founder.mint()
  await fleet.resumed([founder])
  await fleet.stop([founder])
}
