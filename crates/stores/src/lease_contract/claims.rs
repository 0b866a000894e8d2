//! L2: what is held is given to nobody else.

use std::collections::BTreeSet;
use std::time::Duration;

use mintid_core::Code;
use mintid_core::snowflake::Unit;
use tokio::task::JoinSet;

use super::suite::{Suite, by_another, layout};
use crate::contract::client::{Verdict, ensure};
use crate::lease_grant::millis;
use crate::lease_store::Claim;

/// How many claim at one instant.
const MANY: u32 = 64;

/// How long a lease lasts whose end is waited for.
const SHORT: Duration = Duration::from_millis(400);

/// How often somebody looks whether it has ended.
const LOOK: Duration = Duration::from_millis(20);

pub(super) async fn give_each_its_own(suite: &Suite<'_>) -> Verdict {
    let claim = Claim {
        machines: (0, 1),
        ..suite.claim("two")
    };
    let first = suite.one.claim(&claim).await?;
    let second = suite.two.claim(&by_another(&claim)).await?;
    ensure(first.machine != second.machine, || {
        format!("machine id {} was given to two", first.machine)
    })?;
    let full = by_another(&claim);
    let error = suite
        .one
        .refuse_claim(&full, Code::MachineIdsExhausted)
        .await?;
    let text = error.to_string();
    ensure(
        text.contains(claim.scope.as_str()) && text.contains('2'),
        || format!("the refusal names neither the scope nor how many there are: {text}"),
    )
}

pub(super) async fn give_each_its_own_at_once(suite: &Suite<'_>) -> Verdict {
    let claim = Claim {
        layout: layout(6, Unit::Ms),
        machines: (0, MANY - 1),
        patience: Duration::from_secs(8),
        ..suite.claim("at-once")
    };
    let mut running = JoinSet::new();
    for at in 0..MANY {
        let client = if at % 2 == 0 { &suite.one } else { &suite.two };
        let (client, claim) = (client.clone(), by_another(&claim));
        running.spawn(async move { client.claim(&claim).await });
    }
    let mut given = BTreeSet::new();
    while let Some(ended) = running.join_next().await {
        let claimed = ended.map_err(|error| format!("a call broke off: {error}"))??;
        ensure(given.insert(claimed.machine), || {
            format!("machine id {} was given to two of {MANY}", claimed.machine)
        })?;
    }
    let full = by_another(&claim);
    suite
        .one
        .refuse_claim(&full, Code::MachineIdsExhausted)
        .await
        .map(drop)
}

pub(super) async fn begin_at_their_start(suite: &Suite<'_>) -> Verdict {
    let claim = suite.claim("start");
    for (machines, start, due) in [
        ((0, 1_023), 1_022, 1_022),
        ((0, 1_023), 1_022, 1_023),
        ((0, 1_023), 1_022, 0),
        ((8, 9), 9, 9),
        ((8, 9), 9, 8),
        // Taken into the range.
        ((20, 29), 5, 25),
        ((20, 29), u32::MAX, 26),
        ((1_000, 1_000), 1_000, 1_000),
    ] {
        let claim = Claim {
            machines,
            start,
            ..by_another(&claim)
        };
        let machine = suite.one.claim(&claim).await?.machine;
        // Where a start outside the range leads is the store's own affair.
        let is_free = (machines.0..=machines.1).contains(&start);
        ensure(machine == due || !is_free, || {
            format!("{machines:?} from {start} on gave {machine}, and {due} is the first free one")
        })?;
    }
    Ok(())
}

/// By the store's clock, which is the one that its answers tell.
pub(super) async fn wait_for_the_deadline(suite: &Suite<'_>) -> Verdict {
    let claim = Claim {
        machines: (3, 3),
        start: 3,
        ttl: SHORT,
        ..suite.claim("deadline")
    };
    let first = suite.one.claim(&claim).await?;
    let looks = SHORT.as_millis() / LOOK.as_millis() + 200;
    for _ in 0..looks {
        let next = by_another(&claim);
        let answer = suite.two.leases().claim(next);
        match suite.two.in_time("claim", answer).await? {
            Ok(next) => {
                let early = next.store_now_ms < first.store_now_ms + millis(SHORT);
                return ensure(!early && next.former_ceiling_ms >= first.ceiling_ms, || {
                    format!("after {first:?} with a ttl of {SHORT:?} came {next:?}")
                });
            }
            Err(error) => ensure(error.code() == Code::MachineIdsExhausted, || {
                format!("a claim of what is held failed with {error}")
            })?,
        }
        tokio::time::sleep(LOOK).await;
    }
    Err(format!("a lease of {SHORT:?} did not end within {looks} looks").into())
}

/// Somebody whose answer was lost, and who asks again.
pub(super) async fn of_one_owner_give_another(suite: &Suite<'_>) -> Verdict {
    let claim = Claim {
        machines: (0, 1),
        ..suite.claim("again")
    };
    let first = suite.one.claim(&claim).await?;
    let second = suite.one.claim(&claim).await?;
    ensure(first.machine != second.machine, || {
        format!("machine id {} was taken for free", first.machine)
    })?;
    let third = suite.two.claim(&claim).await?;
    let before = match third.machine == first.machine {
        true => first,
        false => second,
    };
    ensure(third.former_ceiling_ms >= before.ceiling_ms, || {
        format!("{before:?} was given again as {third:?}")
    })?;
    let other = by_another(&claim);
    suite
        .two
        .refuse_claim(&other, Code::MachineIdsExhausted)
        .await
        .map(drop)
}
