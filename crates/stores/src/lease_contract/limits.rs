//! L4: how high a ceiling may be.

use std::time::Duration;

use mintid_core::Code;
use mintid_core::snowflake::Unit;

use super::suite::{SKEW, Suite, TTL, by_another, layout, renewal};
use crate::contract::client::{Verdict, ensure};
use crate::lease_grant::millis;
use crate::lease_store::{Claim, Renew};
use crate::unix_clock::now_ms;

/// Of the holder's clock, at the call or at any time until it is answered.
pub(super) async fn are_one_ttl_ahead(suite: &Suite<'_>) -> Verdict {
    let behind = 1_000;
    let claim = Claim {
        now_ms: now_ms() - behind,
        ..suite.claim("ahead")
    };
    let claimed = suite.one.claim(&claim).await?;
    let due = claim.now_ms + millis(TTL)..=now_ms() - behind + millis(TTL);
    ensure(due.contains(&claimed.ceiling_ms), || {
        format!("{due:?} is one ttl ahead, and {claimed:?} came")
    })?;
    let renew = renewal(&claim, &claimed);
    let (ceiling_ms, _) = suite.two.hold(&renew).await?;
    let due = renew.now_ms + millis(TTL)..=now_ms() + millis(TTL);
    ensure(due.contains(&ceiling_ms), || {
        format!("{due:?} is one ttl ahead, and a renewal gave {ceiling_ms}")
    })
}

/// However far ahead the holder's clock is.
pub(super) async fn heed_the_stores_clock(suite: &Suite<'_>) -> Verdict {
    let claim = Claim {
        now_ms: now_ms() + millis(SKEW) - 1_000,
        ..suite.claim("skew")
    };
    let claimed = suite.one.claim(&claim).await?;
    let most = claimed.store_now_ms + millis(TTL + SKEW);
    ensure(claimed.ceiling_ms <= most, || {
        format!("at a limit of {most} came {claimed:?}")
    })?;
    for ahead in [Duration::from_secs(3_600), Duration::from_secs(1 << 40)] {
        let renew = Renew {
            now_ms: now_ms() + millis(ahead),
            ..renewal(&claim, &claimed)
        };
        let (ceiling_ms, store_now_ms) = suite.two.hold(&renew).await?;
        let most = store_now_ms + millis(TTL + SKEW);
        ensure(ceiling_ms == most, || {
            format!("a clock {ahead:?} ahead was given {ceiling_ms}, and {most} is due")
        })?;
    }
    Ok(())
}

pub(super) async fn are_never_lowered(suite: &Suite<'_>) -> Verdict {
    let claim = suite.claim("lowered");
    let claimed = suite.one.claim(&claim).await?;
    for back in [60_000, 3_600_000, now_ms()] {
        let renew = Renew {
            now_ms: now_ms() - back.min(now_ms()),
            ..renewal(&claim, &claimed)
        };
        let (ceiling_ms, _) = suite.two.hold(&renew).await?;
        ensure(ceiling_ms == claimed.ceiling_ms, || {
            format!("a clock set back made {ceiling_ms} of {claimed:?}")
        })?;
    }
    Ok(())
}

/// In units of seconds a ceiling inside a tick would let two holders mint in it.
pub(super) async fn end_with_a_tick(suite: &Suite<'_>) -> Verdict {
    let claim = Claim {
        layout: layout(10, Unit::S),
        ..suite.claim("ticks")
    };
    let claimed = suite.one.claim(&claim).await?;
    let ahead = Renew {
        now_ms: now_ms() + 3_600_000,
        ..renewal(&claim, &claimed)
    };
    let renewed = suite.one.hold(&renewal(&claim, &claimed)).await?.0;
    let clamped = suite.one.hold(&ahead).await?.0;
    for ceiling_ms in [claimed.ceiling_ms, renewed, clamped] {
        let end = claim.layout.ceiling_at(ceiling_ms);
        ensure(ceiling_ms == end, || {
            format!("{ceiling_ms} lies inside a tick: {end} is the end of the one before")
        })?;
    }
    Ok(())
}

/// Before anything is written.
pub(super) async fn refuse_other_clocks(suite: &Suite<'_>) -> Verdict {
    let claim = suite.claim("clocks");
    let off = millis(SKEW) + 5_000;
    for now_ms in [now_ms() - off, now_ms() + off, 0] {
        let claim = Claim {
            now_ms,
            ..by_another(&claim)
        };
        let error = suite.one.refuse_claim(&claim, Code::ClockBackwards).await?;
        let text = error.to_string();
        ensure(text.contains("maxClockSkew"), || {
            format!("the refusal does not tell the limit: {text}")
        })?;
    }
    // Nor were the terms.
    let other = Claim {
        layout: layout(9, Unit::Ms),
        machines: (0, 0),
        ..by_another(&claim)
    };
    suite.two.claim(&other).await.map(drop)
}

pub(super) async fn skip_what_lies_ahead(suite: &Suite<'_>) -> Verdict {
    let claim = Claim {
        machines: (0, 1),
        ..suite.claim("poisoned")
    };
    let days = Duration::from_secs(10 * 86_400);
    let poison = format!("0|{}|", now_ms() + millis(days));
    if !suite.spoil(&claim.scope, 0, &poison).await? {
        return Ok(());
    }
    let machine = suite.one.claim(&claim).await?.machine;
    ensure(machine == 1, || {
        "a machine id whose ceiling lies ten days ahead was given away".to_owned()
    })?;
    let one = Claim {
        machines: (0, 0),
        ..by_another(&claim)
    };
    let error = suite
        .two
        .refuse_claim(&one, Code::MachineIdsExhausted)
        .await?;
    let text = error.to_string();
    ensure(text.contains("ahead"), || {
        format!("the refusal does not tell why: {text}")
    })
}
