//! L1 and L3 of releases.

use super::suite::{Suite, by_another, release, renewal};
use crate::contract::client::{Verdict, ensure};
use crate::lease_grant::millis;
use crate::lease_store::{Claim, Claimed, Release};

fn one_machine(suite: &Suite<'_>, label: &str) -> Claim {
    Claim {
        machines: (7, 7),
        start: 7,
        ..suite.claim(label)
    }
}

async fn give_back(suite: &Suite<'_>, release: &Release) -> Verdict {
    let released = suite.one.release(release).await?;
    ensure(released, || {
        "a release by the owner answered false".to_owned()
    })
}

pub(super) async fn leave_disjoint_spans(suite: &Suite<'_>) -> Verdict {
    let claim = one_machine(suite, "release-spans");
    let claimed = suite.one.claim(&claim).await?;
    let last_ms = claimed.store_now_ms + 20;
    give_back(suite, &release(&claim, &claimed, last_ms)).await?;
    let held = suite.two.machine(&claim.scope, 7).await?;
    ensure(!held.is_held && held.ceiling_ms == last_ms, || {
        format!("used up to {last_ms} and given back it is {held:?}")
    })?;
    let next = suite.two.claim(&by_another(&claim)).await?;
    ensure(next.former_ceiling_ms == last_ms, || {
        format!("after a holder who came up to {last_ms} came {next:?}")
    })
}

/// Whoever minted nothing leaves the bound of whoever did before.
pub(super) async fn pass_on_what_came_before(suite: &Suite<'_>) -> Verdict {
    let mut claim = one_machine(suite, "release-unused");
    let claimed = suite.one.claim(&claim).await?;
    let last_ms = claimed.store_now_ms + millis(claim.ttl) / 2;
    give_back(suite, &release(&claim, &claimed, last_ms)).await?;
    for _ in 0..2 {
        claim = by_another(&claim);
        let next = suite.one.claim(&claim).await?;
        ensure(next.former_ceiling_ms >= last_ms, || {
            format!("up to {last_ms} was used, and {next:?} begins below")
        })?;
        give_back(suite, &release(&claim, &next, 0)).await?;
    }
    Ok(())
}

pub(super) async fn are_their_owners(suite: &Suite<'_>) -> Verdict {
    let claim = one_machine(suite, "release-owner");
    let claimed = suite.one.claim(&claim).await?;
    let stranger = by_another(&claim);
    keeps(suite, &claim, &release(&stranger, &claimed, 0)).await?;
    let unknown = Release {
        machine: 8,
        ..release(&claim, &claimed, 0)
    };
    keeps(suite, &claim, &unknown).await?;
    give_back(suite, &release(&claim, &claimed, 0)).await?;
    keeps(suite, &claim, &release(&claim, &claimed, 0)).await
}

/// A release that was on its way when the machine id became somebody else's.
pub(super) async fn may_come_too_late(suite: &Suite<'_>) -> Verdict {
    let claim = one_machine(suite, "release-late");
    let claimed: Claimed = suite.one.claim(&claim).await?;
    if !suite.expire(&claim, &claimed).await? {
        return Ok(());
    }
    let next = by_another(&claim);
    let held = suite.two.claim(&next).await?;
    keeps(suite, &claim, &release(&claim, &claimed, 5)).await?;
    suite.two.hold(&renewal(&next, &held)).await.map(drop)
}

/// A release that is nobody's to make answers so, and changes nothing.
async fn keeps(suite: &Suite<'_>, claim: &Claim, release: &Release) -> Verdict {
    let before = suite.one.machines(&claim.scope).await?;
    let released = suite.two.release(release).await?;
    let after = suite.one.machines(&claim.scope).await?;
    ensure(!released && before == after, || {
        format!("{release:?} answered {released} and made {after:?} of {before:?}")
    })
}
