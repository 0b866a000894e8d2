//! S1, S2 and S3: what is granted, and in which order.

use std::sync::Arc;

use mintid_core::Range;
use parking_lot::Mutex;
use tokio::task::JoinSet;

use super::client::{Client, Verdict, ensure};
use super::suite::{Suite, at_once, ensure_disjoint};
use crate::range_store::{Granted, Reserve};

const TASKS_PER_CLIENT: usize = 4;
const CALLS_PER_TASK: u64 = 12;

pub(super) async fn grow_across_clients(suite: &Suite<'_>) -> Verdict {
    let mut before: Option<Range> = None;
    for (turn, size) in [1, 10, 3, 1000, 7, 1, 250].into_iter().enumerate() {
        let client = if turn % 3 == 1 {
            &suite.two
        } else {
            &suite.one
        };
        let range = client.grant(&suite.request("grow", size)).await?.range;
        if let Some(before) = before {
            ensure(range.start >= before.end, || {
                format!("{range} was granted after {before}")
            })?;
        }
        before = Some(range);
    }
    Ok(())
}

/// A grant, and when it was asked for and answered, by a clock that ticks at each look.
struct Timed {
    asked: u64,
    answered: u64,
    range: Range,
}

pub(super) async fn never_overlap_under_load(suite: &Suite<'_>) -> Verdict {
    let clock = Arc::new(Mutex::new(0));
    let mut running = JoinSet::new();
    // The key exists, so that its creation, which S2 judges, plays no part.
    suite.one.grant(&suite.request("load", 1)).await?;
    for task in 0..TASKS_PER_CLIENT {
        for client in [&suite.one, &suite.two] {
            let request = suite.request("load", 1 + task as u64 * 10);
            running.spawn(reserve_often(client.clone(), request, Arc::clone(&clock)));
        }
    }
    let mut all = Vec::new();
    while let Some(ended) = running.join_next().await {
        all.extend(ended.map_err(|error| format!("a call broke off: {error}"))??);
    }
    ensure_disjoint(all.iter().map(|it| it.range).collect())?;
    for earlier in &all {
        for later in all.iter().filter(|it| it.asked > earlier.answered) {
            ensure(later.range.start >= earlier.range.end, || {
                format!(
                    "{} was asked for after {} had been granted",
                    later.range, earlier.range
                )
            })?;
        }
    }
    Ok(())
}

async fn reserve_often(
    client: Client,
    request: Reserve,
    clock: Arc<Mutex<u64>>,
) -> Verdict<Vec<Timed>> {
    let now = || {
        let mut ticks = clock.lock();
        *ticks += 1;
        *ticks
    };
    let mut granted = Vec::new();
    for _ in 0..CALLS_PER_TASK {
        let asked = now();
        let range = client.grant(&request).await?.range;
        granted.push(Timed {
            asked,
            answered: now(),
            range,
        });
    }
    Ok(granted)
}

pub(super) async fn begin_at_the_initial_offset(suite: &Suite<'_>) -> Verdict {
    let last = if suite.offers.all_ids {
        1 << 53
    } else {
        1 << 52
    };
    for offset in [1, 7, 100_000, last] {
        let request = Reserve {
            initial_offset: offset,
            ..suite.request(&format!("begin-{offset}"), 5)
        };
        let Granted { range, created, .. } = suite.one.grant(&request).await?;
        ensure(range.start == offset, || {
            format!("a new key with initialOffset {offset} was granted {range}")
        })?;
        ensure(created || !suite.offers.details, || {
            format!("a new key was granted {range}, and the answer does not tell that it is new")
        })?;
    }
    Ok(())
}

pub(super) async fn stay_above_the_initial_offset(suite: &Suite<'_>) -> Verdict {
    let first = suite.one.grant(&suite.request("offset", 10)).await?.range;
    let raised = Reserve {
        initial_offset: first.end + 1000,
        ..suite.request("offset", 10)
    };
    let Granted { range, created, .. } = suite.two.grant(&raised).await?;
    ensure(range.start >= raised.initial_offset && !created, || {
        format!(
            "with initialOffset {} a key that stood at {} was granted {range}, created: {created}",
            raised.initial_offset,
            first.last(),
        )
    })
}

pub(super) async fn are_created_by_one_of_many(suite: &Suite<'_>) -> Verdict {
    let request = Reserve {
        initial_offset: 500,
        ..suite.request("race", 10)
    };
    let calls = (0..TASKS_PER_CLIENT)
        .flat_map(|_| [&suite.one, &suite.two])
        .map(|client| (client.clone(), request.clone()))
        .collect();
    let answers = at_once(calls).await?;
    let creators = answers.iter().filter(|it| it.created).count();
    let firsts = answers.iter().filter(|it| it.range.start == 500).count();
    ensure(firsts == 1, || {
        format!(
            "of {} first reservations at once {firsts} began at its initialOffset",
            answers.len()
        )
    })?;
    ensure(creators == 1 || !suite.offers.details, || {
        format!(
            "of {} first reservations at once {creators} created the key",
            answers.len()
        )
    })
}

pub(super) async fn are_what_was_asked_and_remembered(suite: &Suite<'_>) -> Verdict {
    for size in [10, 3, 1, 1000, 7] {
        let request = suite.request("fact", size);
        let range = suite.one.grant(&request).await?.range;
        ensure(range.len() <= size, || {
            format!(
                "{range} holds {} ids, and {size} were asked for",
                range.len()
            )
        })?;
        let counter = suite.two.counter(&request.key).await?;
        let value = counter.and_then(|counter| counter.value);
        ensure(
            !suite.offers.list || value.is_some_and(|value| value >= range.last()),
            || format!("{range} was granted, and the store remembers {value:?}"),
        )?;
    }
    Ok(())
}
