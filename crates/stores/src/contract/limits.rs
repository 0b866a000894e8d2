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
    let key = suite.key("last");
    suite.one.floor(&key, MAX_ID - 10).await?;
    let of = |size| suite.request("last", size);
    for size in [20, 1 << 62, u64::MAX] {
        suite.one.refuse(&of(size), Code::RangeExhausted).await?;
    }
    let last = suite.two.grant(&of(10)).await?.range;
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
