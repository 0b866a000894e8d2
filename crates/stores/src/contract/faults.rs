//! S4: what goes wrong on the way may lose ids, and never hands them out twice.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;

use mintid_core::Range;

use super::client::{Client, Verdict, ensure, sound};
use super::suite::Suite;
use crate::range_store::{Answer, Granted, Reserve};

/// A call is given up after this many polls at most; a store needs about one a round trip.
const MOST_POLLS: usize = 6;

/// How often each fault is caused.
const ROUNDS: usize = 3;

/// Grants of one key, each of which has to lie above those before.
struct Growing {
    request: Reserve,
    last: Option<Range>,
}

impl Growing {
    async fn next(&mut self, client: &Client, after: &str) -> Verdict {
        let granted = client.grant(&self.request).await?;
        self.add(granted, after)
    }

    fn add(&mut self, granted: Granted, after: &str) -> Verdict {
        let range = sound(&"reserve", granted)?.range;
        if let Some(last) = self.last {
            ensure(range.start >= last.end, || {
                format!("after {after} {range} was granted, and {last} had been before")
            })?;
        }
        self.last = Some(range);
        Ok(())
    }

    /// Whether the store remembers all that was granted, as far as it tells.
    async fn remembered(&self, client: &Client, after: &str) -> Verdict {
        if !client.offers.list {
            return Ok(());
        }
        let value = client
            .counter(&self.request.key)
            .await?
            .and_then(|it| it.value);
        ensure(value >= self.last.map(|last| last.last()), || {
            format!(
                "after {after} the counter is {value:?}, and {:?} was granted",
                self.last
            )
        })
    }
}

/// A caller that goes away while its reservation is under way and others reserve.
pub(super) async fn abandoned_calls(suite: &Suite<'_>) -> Verdict {
    let after = "a call was given up";
    let mut granted = Growing {
        request: suite.request("abandoned", 10),
        last: None,
    };
    granted.next(&suite.one, after).await?;
    for polls in 0..=MOST_POLLS {
        let mut abandoned = suite.one.store.reserve(granted.request.clone());
        for _ in 0..polls {
            if let Some(answer) = poll_once(&mut abandoned).await {
                if let Ok(answer) = answer {
                    granted.add(answer, after)?;
                }
                // Polled to its end: another poll would be a panic.
                abandoned = Box::pin(std::future::pending());
            }
            tokio::task::yield_now().await;
        }
        // Begun beside the abandoned one and ended after it: a store may need the first to let go.
        let mut beside = suite.two.store.reserve(granted.request.clone());
        let early = poll_once(&mut beside).await;
        drop(abandoned);
        let late = match early {
            Some(answer) => answer,
            None => suite.two.in_time("reserve", beside).await?,
        };
        let late = late.map_err(|error| format!("reserve failed: {error}"))?;
        granted.add(late, after)?;
        for client in [&suite.one, &suite.two, &suite.one] {
            granted.next(client, after).await?;
        }
    }
    granted.remembered(&suite.two, after).await
}

async fn poll_once<T>(answer: &mut Answer<'_, T>) -> Option<mintid_core::Result<T>> {
    poll_fn(|context| match Pin::new(&mut *answer).poll(context) {
        Poll::Ready(answer) => Poll::Ready(Some(answer)),
        Poll::Pending => Poll::Ready(None),
    })
    .await
}

/// A client that ends: the ids it was granted are used or lost, and nothing in between.
pub(super) async fn closed_clients(suite: &Suite<'_>) -> Verdict {
    let after = "a client was closed";
    let mut granted = Growing {
        request: suite.request("closed", 10),
        last: None,
    };
    for abandons_a_call in [false, true] {
        let client = suite.another().await?;
        granted.next(&client, after).await?;
        if abandons_a_call {
            let mut abandoned = client.store.reserve(granted.request.clone());
            if let Some(Ok(answer)) = poll_once(&mut abandoned).await {
                granted.add(answer, after)?;
            }
        }
        client.close().await?;
        for client in [&suite.one, &suite.two] {
            granted.next(client, after).await?;
        }
    }
    granted.remembered(&suite.two, after).await
}

pub(super) async fn lost_replies(suite: &Suite<'_>) -> Verdict {
    let after = "a reply was lost";
    let mut granted = Growing {
        request: suite.request("lost", 10),
        last: None,
    };
    granted.next(&suite.one, after).await?;
    for _ in 0..ROUNDS {
        let Some(fault) = suite.harness.lose_next_reply() else {
            return Ok(());
        };
        cause("lose a reply", fault).await?;
        let answer = suite.one.store.reserve(granted.request.clone());
        if let Ok(answer) = suite.one.in_time("reserve", answer).await? {
            granted.add(answer, after)?;
        }
        for client in [&suite.two, &suite.one] {
            granted.next(client, after).await?;
        }
    }
    granted.remembered(&suite.two, after).await
}

/// A range exists once it is committed: none is granted while commits fail.
pub(super) async fn failed_commits(suite: &Suite<'_>) -> Verdict {
    let after = "a commit failed";
    let mut granted = Growing {
        request: suite.request("commit", 10),
        last: None,
    };
    granted.next(&suite.one, after).await?;
    for _ in 0..ROUNDS {
        let Some(fault) = suite.harness.fail_commits(true) else {
            return Ok(());
        };
        cause("make commits fail", fault).await?;
        let answer = suite.one.store.reserve(granted.request.clone());
        let answer = suite.one.in_time("reserve", answer).await;
        if let Some(healed) = suite.harness.fail_commits(false) {
            cause("let commits pass", healed).await?;
        }
        if let Ok(Granted { range, .. }) = answer? {
            return Err(format!("{range} was granted while commits failed").into());
        }
        granted.remembered(&suite.one, after).await?;
        for client in [&suite.two, &suite.one] {
            granted.next(client, after).await?;
        }
    }
    granted.remembered(&suite.two, after).await
}

async fn cause(what: &str, fault: Answer<'_, ()>) -> Verdict {
    fault
        .await
        .map_err(|error| format!("the harness could not {what}: {error}").into())
}
