//! S5: where a key ends.

use mintid_core::Code;
use mintid_core::range::MAX_ID;

use super::client::{Verdict, ensure};
use super::suite::Suite;
use crate::range_store::Reserve;

pub(super) async fn end_at_the_maximum(suite: &Suite<'_>) -> Verdict {
    let of = |size| Reserve {
        max: 1000,
        ..suite.request("max", size)
    };
    let first = suite.one.grant(&of(600)).await?.range;
    let left = 1000 - first.last();
    suite
        .one
        .refuse(&of(left + 10), Code::RangeExhausted)
        .await?;
    suite
        .two
        .refuse(&of(u64::MAX), Code::RangeExhausted)
        .await?;
    let last = suite.two.grant(&of(left)).await?.range;
    ensure(last.last() <= 1000, || {
        format!("{last} was granted of a key with max 1000")
    })?;
    suite.one.refuse(&of(1000), Code::RangeExhausted).await
}

pub(super) async fn end_at_the_last_id(suite: &Suite<'_>) -> Verdict {
    let Some(near) = ten_before_the_last_id(suite).await? else {
        return Ok(());
    };
    let of = |size| Reserve {
        size,
        ..near.clone()
    };
    for size in [20, 1 << 62, u64::MAX] {
        suite.one.refuse(&of(size), Code::RangeExhausted).await?;
    }
    let Some(granted) = suite.two.grant_or_end(&of(10)).await? else {
        return Ok(());
    };
    let last = granted.range;
    ensure(last.last() == MAX_ID, || {
        format!("the last 10 ids of a key are {last}, and end at {MAX_ID}")
    })?;
    suite.two.refuse(&of(10), Code::RangeExhausted).await?;
    let unbounded = Reserve {
        max: u64::MAX,
        ..of(10)
    };
    suite.one.refuse(&unbounded, Code::RangeExhausted).await
}

/// The request for the last ten ids of a key; `None` if the store ends sooner and says so.
async fn ten_before_the_last_id(suite: &Suite<'_>) -> Verdict<Option<Reserve>> {
    let request = suite.request("last", 10);
    if !suite.offers.floor {
        return Ok(Some(Reserve {
            initial_offset: MAX_ID - 9,
            ..request
        }));
    }
    let raised = suite.one.floor_or_end(&request.key, MAX_ID - 10).await?;
    Ok(raised.map(|_| request))
}
