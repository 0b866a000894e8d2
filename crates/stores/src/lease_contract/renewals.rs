//! L1 and L3 of renewals.

use super::suite::{Suite, by_another, renewal};
use crate::contract::client::{Verdict, ensure};
use crate::lease_grant::millis;
use crate::lease_store::{Claim, Claimed, Renew, Renewed};
use crate::unix_clock::now_ms;

/// A pool of one machine id.
fn one_machine(suite: &Suite<'_>, label: &str) -> Claim {
    Claim {
        machines: (7, 7),
        start: 7,
        ..suite.claim(label)
    }
}

pub(super) async fn keep_spans_disjoint(suite: &Suite<'_>) -> Verdict {
    let mut claim = one_machine(suite, "renew-spans");
    let mut highest = 0;
    for _ in 0..3 {
        let claimed = suite.one.claim(&claim).await?;
        ensure(claimed.former_ceiling_ms >= highest, || {
            format!("a holder came up to {highest}, and the next one has {claimed:?}")
        })?;
        // Ahead, so that ceilings differ from what the next holder's clock would give.
        let renew = Renew {
            now_ms: now_ms() + millis(claim.max_clock_skew) / 2,
            ..renewal(&claim, &claimed)
        };
        let (ceiling_ms, _) = suite.two.hold(&renew).await?;
        highest = claimed.ceiling_ms.max(ceiling_ms);
        let held = Claimed {
            ceiling_ms,
            ..claimed
        };
        if !suite.expire(&claim, &held).await? {
            return Ok(());
        }
        claim = by_another(&claim);
    }
    Ok(())
}

pub(super) async fn are_their_owners(suite: &Suite<'_>) -> Verdict {
    let claim = one_machine(suite, "renew-owner");
    let claimed = suite.one.claim(&claim).await?;
    let before = suite.one.machine(&claim.scope, 7).await?;
    let stranger = renewal(&by_another(&claim), &claimed);
    let renewed = suite.two.renew(&stranger).await?;
    let due = Renewed::Taken {
        by: claim.owner.as_str().to_owned(),
    };
    ensure(renewed == due, || {
        format!("a stranger renewed with {renewed:?}, and {due:?} is due")
    })?;
    let after = suite.two.machine(&claim.scope, 7).await?;
    ensure(before == after, || {
        format!("a stranger's renewal changed {before:?} to {after:?}")
    })?;
    let unknown = Renew {
        machine: 8,
        ..renewal(&claim, &claimed)
    };
    let renewed = suite.two.renew(&unknown).await?;
    ensure(matches!(renewed, Renewed::Wiped { .. }), || {
        format!("what nobody ever claimed was renewed with {renewed:?}")
    })?;
    let machines = suite.one.machines(&claim.scope).await?;
    ensure(machines.len() == 1, || {
        format!("a renewal of what nobody claimed left {machines:?}")
    })
}

pub(super) async fn may_be_late(suite: &Suite<'_>) -> Verdict {
    let claim = one_machine(suite, "renew-late");
    let claimed = suite.one.claim(&claim).await?;
    if !suite.expire(&claim, &claimed).await? {
        return Ok(());
    }
    let renew = renewal(&claim, &claimed);
    suite.one.hold(&renew).await?;
    if !suite.expire(&claim, &claimed).await? {
        return Ok(());
    }
    let next = by_another(&claim);
    suite.two.claim(&next).await?;
    let renewed = suite.one.renew(&renew).await?;
    let due = Renewed::Taken {
        by: next.owner.as_str().to_owned(),
    };
    ensure(renewed == due, || {
        format!("a renewal of what somebody else has by now came to {renewed:?}")
    })
}
