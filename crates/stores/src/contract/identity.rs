//! Which store it is, and which generators it knows.

use mintid_core::Code;

use super::client::{Verdict, ensure};
use super::suite::Suite;
use crate::range_store::{Raise, Reserve, StoreId};

pub(super) async fn unknown_generators(suite: &Suite<'_>) -> Verdict {
    let mut request = suite.request("strict", 10);
    request.may_create = false;
    suite.one.refuse(&request, Code::RangeMissing).await?;
    let counter = suite.two.counter(&request.key).await?;
    ensure(counter.is_none(), || {
        format!("a generator that may not be created left {counter:?}")
    })?;

    request.may_create = true;
    let created = suite.two.grant(&request).await?;
    request.may_create = false;
    let known = suite.one.grant(&request).await?;
    let told = created.created && !known.created;
    ensure(told || !suite.offers.details, || {
        format!(
            "a generator was created: {}, and then known, created: {}",
            created.created, known.created
        )
    })
}

pub(super) async fn one_for_all_clients(suite: &Suite<'_>) -> Verdict {
    let mut request = suite.request("id", 10);
    let met = suite.one.grant(&request).await?.store_id;
    ensure(!met.as_str().is_empty(), || {
        "the store id is empty".to_owned()
    })?;
    for (client, known) in [(&suite.two, None), (&suite.one, Some(met.clone()))] {
        request.store_id = known;
        let told = client.grant(&request).await?.store_id;
        ensure(told == met, || {
            format!(
                "the store id is {} for one client and {} for the other",
                met.as_str(),
                told.as_str()
            )
        })?;
    }
    request.store_id = Some(StoreId::fresh());
    suite.one.refuse(&request, Code::StoreWentBack).await?;
    request.floor = Some(5000);
    request.raise_to = Some(6000);
    suite.two.refuse(&request, Code::StoreWentBack).await
}

pub(super) async fn survives_a_wipe(suite: &Suite<'_>) -> Verdict {
    let mut known = suite.request("wipe", 10);
    let before = suite.one.grant(&known).await?;
    let Some(wiped) = suite.harness.wipe() else {
        return Ok(());
    };
    wiped
        .await
        .map_err(|error| format!("the harness could not wipe: {error}"))?;
    let counters = suite.one.list("").await?;
    ensure(counters.is_empty(), || {
        format!("a wiped store still lists {counters:?}")
    })?;

    let never_seen = Reserve {
        store_id: Some(before.store_id.clone()),
        ..suite.request("wipe-unseen", 10)
    };
    suite.two.refuse(&never_seen, Code::StoreWentBack).await?;

    let floor = before.range.last();
    known.store_id = Some(before.store_id.clone());
    known.floor = Some(floor);
    known.raise_to = Some(floor + 1000);
    known.may_create = false;
    let repaired = suite.one.grant(&known).await?;
    let raise = Raise {
        from: 0,
        to: floor + 1000,
    };
    ensure(
        repaired.raised == Some(raise) && repaired.range.start > raise.to,
        || format!("a wiped counter with the floor {floor} was answered with {repaired:?}"),
    )?;

    // Its id is back, so that those who have seen nothing of a key go on as well.
    let told = suite.two.grant(&never_seen).await?.store_id;
    ensure(told == before.store_id, || {
        format!(
            "a wiped store took the id {} back, and told {}",
            before.store_id.as_str(),
            told.as_str()
        )
    })
}
