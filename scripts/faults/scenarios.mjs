// What is done to a store while processes mint from it. Each scenario tells what it is, how long it
// takes, how often a counter has to jump (`jumps`), and does it.

import { blackHole } from './scenarios/black-hole.mjs'
import { flushall } from './scenarios/flushall.mjs'
import { flushallStrict } from './scenarios/flushall-strict.mjs'
import { frozen } from './scenarios/frozen.mjs'
import { killAof } from './scenarios/kill-aof.mjs'
import { killRdb } from './scenarios/kill-rdb.mjs'
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
}
