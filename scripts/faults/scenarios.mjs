// What is done to a store, or to processes, while these mint from it. Each scenario tells what it
// is, how long it takes, and does it; some tell how often a counter has to jump (`jumps`), what
// callers have to be told (`reports`), how long nobody may be without an id (`gapMs`), the options of
// Snowflake ids (`snowflake`), and why it cannot be run here (`impossible`).

import { blackHole } from './scenarios/black-hole.mjs'
import { flushall } from './scenarios/flushall.mjs'
import { flushallStrict } from './scenarios/flushall-strict.mjs'
import { frozen } from './scenarios/frozen.mjs'
import { killAof } from './scenarios/kill-aof.mjs'
import { killRdb } from './scenarios/kill-rdb.mjs'
import { clockBackHour, clockBackSecond } from './scenarios/lease/clock-back.mjs'
import { cluster } from './scenarios/lease/cluster.mjs'
import { crashes } from './scenarios/lease/crashes.mjs'
import { cutOff } from './scenarios/lease/cut-off.mjs'
import { frozen as frozenLeases } from './scenarios/lease/frozen.mjs'
import { lateRelease } from './scenarios/lease/late-release.mjs'
import { restored } from './scenarios/lease/restored.mjs'
import { stopped } from './scenarios/lease/stopped.mjs'
import { twins } from './scenarios/lease/twins.mjs'
import { wiped } from './scenarios/lease/wiped.mjs'
import { lossyPromotion } from './scenarios/lossy-promotion.mjs'
import { oldSnapshot } from './scenarios/old-snapshot.mjs'
import { promoteBack } from './scenarios/promote-back.mjs'
import { sentinelFailover } from './scenarios/sentinel-failover.mjs'
import { slotMove } from './scenarios/slot-move.mjs'
import { twoCrashes } from './scenarios/two-crashes.mjs'
import { twoMasters } from './scenarios/two-masters.mjs'

/** By the store that they are about. */
export const SCENARIOS = {
  redis: [
    killAof,
    killRdb,
    lossyPromotion,
    sentinelFailover,
    promoteBack,
    twoCrashes,
    twoMasters,
    oldSnapshot,
    flushall,
    flushallStrict,
    slotMove,
    blackHole,
    frozen,
  ],
  lease: [
    stopped,
    cutOff,
    clockBackSecond,
    clockBackHour,
    wiped,
    restored,
    frozenLeases,
    lateRelease,
    twins,
    cluster,
    crashes(200),
  ],
}

/** Those that a short form runs, and how many seconds each; they take less than a minute in all. */
export const SHORT = {
  redis: [
    [killRdb, 4],
    [lossyPromotion, 4],
    [twoCrashes, 4],
    [flushall, 3],
    [flushallStrict, 3],
    [slotMove, 5],
    [blackHole, 6],
    [frozen, 8],
  ],
  lease: [
    [stopped, 2],
    [cutOff, 2],
    [clockBackSecond, 2],
    [wiped, 2],
    [restored, 2],
    [lateRelease, 2],
    [cluster, 2],
  ],
}
