//! L5 and L6: what holds for a scope as a whole.

use std::time::Duration;

use mintid_core::Code;
use mintid_core::snowflake::Unit;

use super::suite::{SKEW, Suite, TTL, WINDOW, by_another, layout, release, renewal};
use crate::contract::client::{Verdict, ensure, in_time};
use crate::lease_grant::millis;
use crate::lease_store::{Claim, Renewed};

pub(super) async fn have_one_layout(suite: &Suite<'_>) -> Verdict {
    let claim = suite.claim("terms");
    suite.one.claim(&claim).await?;
    let others = [
        Claim {
            layout: layout(9, Unit::Ms),
            machines: (0, 511),
            ..by_another(&claim)
        },
        Claim {
            layout: layout(10, Unit::S),
            ..by_another(&claim)
        },
        Claim {
            ttl: TTL + Duration::from_millis(1),
            ..by_another(&claim)
        },
        Claim {
            max_clock_skew: SKEW - Duration::from_millis(1),
            ..by_another(&claim)
        },
    ];
    for other in others {
        let error = suite.two.refuse_claim(&other, Code::LayoutMismatch).await?;
        let text = error.to_string();
        ensure(text.contains(&claim.layout.record()), || {
            format!("the refusal does not tell what is recorded: {text}")
        })?;
    }
    // Neither where to look nor how long to wait is part of it.
    let same = Claim {
        machines: (500, 600),
        start: 500,
        failover_window: Duration::ZERO,
        first_start: false,
        may_create: false,
        ..by_another(&claim)
    };
    suite.two.claim(&same).await.map(drop)
}

pub(super) async fn are_made_if_they_may_be(suite: &Suite<'_>) -> Verdict {
    let claim = Claim {
        may_create: false,
        ..suite.claim("create")
    };
    suite.one.refuse_claim(&claim, Code::RangeMissing).await?;
    let maker = Claim {
        may_create: true,
        ..by_another(&claim)
    };
    suite.two.claim(&maker).await?;
    suite.one.claim(&claim).await.map(drop)
}

pub(super) async fn know_their_machines(suite: &Suite<'_>) -> Verdict {
    let claim = suite.claim("machines");
    for machines in [(0, 1_024), (9, 8), (0, u32::MAX)] {
        let claim = Claim {
            machines,
            ..by_another(&claim)
        };
        suite.one.refuse_claim(&claim, Code::ConfigInvalid).await?;
    }
    Ok(())
}

/// The end of the wait is the same for all who come while it lasts.
pub(super) async fn have_newcomers_wait(suite: &Suite<'_>) -> Verdict {
    let claim = Claim {
        first_start: false,
        ..suite.claim("newcomers")
    };
    let first = suite.one.claim(&claim).await?;
    if !suite.harness.waits() {
        return ensure(
            first.former_ceiling_ms == 0 && !first.waits_for_table,
            || format!("a store that forgets nothing has a newcomer wait: {first:?}"),
        );
    }
    let end = first.store_now_ms + millis(TTL + SKEW + WINDOW);
    ensure(
        first.former_ceiling_ms == end && first.waits_for_table,
        || format!("the first newcomer to an empty table waits until {end}, and came to {first:?}"),
    )?;
    // What one of them gives back unused is none the better.
    suite.one.release(&release(&claim, &first, 0)).await?;
    for first_start in [false, true] {
        let next = Claim {
            first_start,
            ..by_another(&claim)
        };
        let next = suite.two.claim(&next).await?;
        ensure(next.former_ceiling_ms == end, || {
            format!("the table has newcomers wait until {end}, and one came to {next:?}")
        })?;
    }
    let empty = suite.claim("first-start");
    let first = suite.one.claim(&empty).await?;
    ensure(
        first.former_ceiling_ms == 0 && !first.waits_for_table,
        || format!("the very first start waits: {first:?}"),
    )
}

pub(super) async fn may_be_wiped(suite: &Suite<'_>) -> Verdict {
    let claim = suite.claim("wiped");
    let held = suite.one.claim(&claim).await?;
    let Some(answer) = suite.harness.wipe(&claim.scope) else {
        return Ok(());
    };
    in_time(suite.harness.patience(), "wiping", answer)
        .await?
        .map_err(|error| format!("the scope could not be wiped: {error}"))?;
    let renewed = suite.one.renew(&renewal(&claim, &held)).await?;
    ensure(matches!(renewed, Renewed::Wiped { .. }), || {
        format!("after a wipe a renewal came to {renewed:?}")
    })?;
    let next = Claim {
        first_start: false,
        ..by_another(&claim)
    };
    let next = suite.two.claim(&next).await?;
    let is_bound = next.former_ceiling_ms >= held.ceiling_ms;
    ensure(is_bound || !suite.harness.waits(), || {
        format!("{held:?} was wiped, and {next:?} begins below its ceiling")
    })
}
