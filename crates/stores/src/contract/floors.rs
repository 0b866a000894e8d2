//! S7: a store that went back below what a process has seen.

use mintid_core::Code;

use super::client::{Verdict, ensure};
use super::suite::{Suite, at_once, ensure_disjoint};
use crate::range_store::{Granted, Raise, Reserve};

pub(super) async fn notice_a_lower_counter(suite: &Suite<'_>) -> Verdict {
    let seen = |label: &str| Reserve {
        floor: Some(5000),
        ..suite.request(label, 10)
    };
    suite
        .one
        .refuse(&seen("missing"), Code::StoreWentBack)
        .await?;
    suite.one.grant(&suite.request("lower", 10)).await?;
    suite.two.refuse(&seen("lower"), Code::StoreWentBack).await
}

pub(super) async fn raise_a_lower_counter(suite: &Suite<'_>) -> Verdict {
    let last = suite
        .one
        .grant(&suite.request("raise", 10))
        .await?
        .range
        .last();
    let repair = Reserve {
        floor: Some(5000),
        raise_to: Some(6000),
        ..suite.request("raise", 10)
    };
    let granted = suite.two.grant(&repair).await?;
    ensure_raised(suite, &granted, last, 6000)?;
    if !suite.offers.bounds {
        return Ok(());
    }
    // A process that knows the generator may repair it where creating it is not allowed.
    let strict = Reserve {
        may_create: false,
        key: suite.key("raise-strict"),
        ..repair
    };
    let granted = suite.one.grant(&strict).await?;
    ensure_raised(suite, &granted, 0, 6000)
}

pub(super) async fn raise_once_for_many(suite: &Suite<'_>) -> Verdict {
    let answers = repairs_at_once(suite, "raise-race").await?;
    for granted in &answers {
        ensure(granted.range.start > 5000, || {
            format!("{} was granted below the floor 5000", granted.range)
        })?;
    }
    let raised = answers.iter().filter(|it| it.raised.is_some()).count();
    ensure(raised == 1 || !suite.offers.details, || {
        format!(
            "of {} repairs at once {raised} raised the counter",
            answers.len()
        )
    })
}

/// S1 of a counter that is being repaired.
pub(super) async fn overlap_in_no_repair(suite: &Suite<'_>) -> Verdict {
    let answers = repairs_at_once(suite, "repair-race").await?;
    ensure_disjoint(answers.iter().map(|it| it.range).collect())
}

/// Eight processes that have all seen 5000, each with a jump of its own.
async fn repairs_at_once(suite: &Suite<'_>, label: &str) -> Verdict<Vec<Granted>> {
    let calls = (0..8u64)
        .map(|process| {
            let client = if process % 2 == 0 {
                &suite.one
            } else {
                &suite.two
            };
            let request = Reserve {
                floor: Some(5000),
                raise_to: Some(6000 + process * 100),
                ..suite.request(label, 10)
            };
            (client.clone(), request)
        })
        .collect();
    at_once(calls).await
}

/// The floor is the one sent along: other processes, and late answers, may lie far above it.
pub(super) async fn raise_no_false_alarm(suite: &Suite<'_>) -> Verdict {
    let mut request = suite.request("calm", 10);
    let first = suite.one.grant(&request).await?.range;
    for _ in 0..3 {
        suite.two.grant(&request).await?;
    }
    request.floor = Some(first.last());
    for raise_to in [None, Some(first.last() + 1_000_000)] {
        request.raise_to = raise_to;
        let granted = suite.one.grant(&request).await?;
        ensure(
            granted.raised.is_none() && granted.range.start < 1_000_000,
            || {
                format!(
                    "a counter above the floor {} was raised: {} was granted",
                    first.last(),
                    granted.range
                )
            },
        )?;
    }
    Ok(())
}

/// A process that starts has seen nothing, and is served above what others were.
pub(super) async fn remember_for_those_who_come_later(suite: &Suite<'_>) -> Verdict {
    let request = suite.request("later", 10);
    let before = suite.one.grant(&request).await?.range;
    let after = suite.another().await?.grant(&request).await?.range;
    ensure(after.start >= before.end, || {
        format!("{after} was granted to a client that was made after {before} had been granted")
    })
}

pub(super) async fn survive_a_rewind(suite: &Suite<'_>) -> Verdict {
    let mut request = suite.request("rewind", 100);
    let before = suite.one.grant(&request).await?;
    let floor = before.range.last();
    let Some(rewound) = suite.harness.rewind(&request.key, 40) else {
        return Ok(());
    };
    rewound
        .await
        .map_err(|error| format!("the harness could not rewind: {error}"))?;
    request.store_id = Some(before.store_id);
    request.floor = Some(floor);
    for client in [&suite.one, &suite.two] {
        client.refuse(&request, Code::StoreWentBack).await?;
    }
    request.raise_to = Some(floor + 1000);
    let granted = suite.two.grant(&request).await?;
    ensure_raised(suite, &granted, 40, floor + 1000)?;
    request.floor = Some(granted.range.last());
    let next = suite.one.grant(&request).await?;
    ensure(next.raised.is_none(), || {
        "a counter was raised again after it had been repaired".to_owned()
    })
}

fn ensure_raised(suite: &Suite<'_>, granted: &Granted, from: u64, to: u64) -> Verdict {
    ensure(granted.range.start > to, || {
        format!(
            "{} was granted, and the counter was to be raised to {to}",
            granted.range
        )
    })?;
    let raised = granted.raised;
    ensure(
        raised == Some(Raise { from, to }) || !suite.offers.details,
        || format!("a counter was raised from {from} to {to}, and the answer tells {raised:?}"),
    )
}
