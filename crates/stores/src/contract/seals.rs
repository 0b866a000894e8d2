//! S6: a sealed key stays sealed.

use mintid_core::Code;

use super::client::{Verdict, ensure};
use super::suite::Suite;
use crate::range_store::{Counter, Reserve};

pub(super) async fn end_a_key(suite: &Suite<'_>) -> Verdict {
    let request = suite.request("seal", 10);
    let last = suite.one.grant(&request).await?.range.last();
    seal_twice(suite, &request).await?;
    let counter = suite.two.counter(&request.key).await?;
    let kept = Counter {
        key: request.key.to_string(),
        value: Some(last),
        sealed: true,
    };
    ensure(
        !suite.offers.list || counter.as_ref() == Some(&kept),
        || format!("a key was sealed at {last}, and is listed as {counter:?}"),
    )
}

pub(super) async fn leave_a_tombstone(suite: &Suite<'_>) -> Verdict {
    let request = suite.request("tombstone", 10);
    seal_twice(suite, &request).await?;
    let counter = suite.two.counter(&request.key).await?;
    let tombstone = Counter {
        key: request.key.to_string(),
        value: None,
        sealed: true,
    };
    ensure(
        !suite.offers.list || counter.as_ref() == Some(&tombstone),
        || format!("a key was sealed before its first use, and is listed as {counter:?}"),
    )
}

/// Seals the key of `request` twice, and tries each way of getting an id of it afterwards.
async fn seal_twice(suite: &Suite<'_>, request: &Reserve) -> Verdict {
    let key = &request.key;
    let first = suite.one.seal(key).await?;
    let second = suite.two.seal(key).await?;
    ensure(!suite.offers.details || first && !second, || {
        format!("sealing {key} twice answered {first} and {second}, and not true and false")
    })?;
    for client in [&suite.one, &suite.two] {
        client.refuse(request, Code::RangeSealed).await?;
    }
    let able_to_repair = Reserve {
        floor: Some(5000),
        raise_to: Some(6000),
        ..request.clone()
    };
    suite.one.refuse(&able_to_repair, Code::RangeSealed).await?;
    if !suite.offers.floor {
        return Ok(());
    }
    if suite.offers.codes {
        suite.two.refuse_floor(key, 7000, Code::RangeSealed).await?;
    } else {
        // Whether it says no is its own affair, as long as no id comes of it.
        let raised = suite.two.store.floor(key.clone(), 7000);
        let _ = suite.two.in_time("raise", raised).await?;
    }
    suite.one.refuse(request, Code::RangeSealed).await
}
