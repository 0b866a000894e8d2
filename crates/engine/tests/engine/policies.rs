//! Sizes that follow the load, from a caller to the store and back, on time that is moved by hand.

use mintid::{PolicyName, SegmentOptions};

use crate::support::{Crowd, Fixture, run};

/// How long the store takes.
const LATENCY_MS: u64 = 50;

fn under(policy: PolicyName) -> Fixture {
    let fixture = Fixture::new(&SegmentOptions {
        policy: Some(policy),
        ..SegmentOptions::default()
    });
    fixture.delay(LATENCY_MS);
    fixture
}

impl Fixture {
    /// Takes `ids` ids every `ms` for `seconds`; who finds none waits beside the others.
    async fn load(&self, ids: usize, ms: u64, seconds: u64) {
        let mut waiting = Vec::new();
        for _ in 0..seconds * 1_000 / ms {
            let missing = (0..ids).filter(|_| self.try_next().is_none()).count();
            if missing > 0 {
                waiting.push(Crowd::of(self, missing));
            }
            // A store that has been asked answers before the time is over.
            let answered = ms.min(LATENCY_MS);
            self.advance(answered).await;
            if ms > answered {
                self.advance(ms - answered).await;
            }
        }
        self.advance(LATENCY_MS).await;
        for crowd in waiting {
            crowd.ids().await;
        }
    }
}

#[test]
fn proportional_settles_at_a_minute_s_worth_of_a_steady_load() {
    run(async {
        let orders = under(PolicyName::Proportional);
        orders.load(10, 10, 300).await;
        let sizes = orders.store.sizes();
        assert!(sizes.len() <= 10, "{sizes:?}");
        let last = *sizes.last().expect("a reservation");
        assert!((59_000..=61_000).contains(&last), "{sizes:?}");
        assert!(orders.stats().issued >= 290_000, "{:?}", orders.stats());
        assert_eq!(orders.store.most_in_flight(), 1);
    });
}

#[test]
fn proportional_follows_a_load_that_falls_within_two_reservations() {
    run(async {
        let orders = under(PolicyName::Proportional);
        orders.load(10, 10, 300).await;
        let before = orders.store.calls();
        while orders.store.calls() < before + 3 {
            orders.load(60, 60_000, 600).await;
        }
        let sizes = orders.store.sizes();
        let after = &sizes[before..];
        assert!(after[2] <= 120, "{after:?}");
    });
}

#[test]
fn lookahead_lets_no_caller_wait_after_the_first_second() {
    run(async {
        let orders = under(PolicyName::Lookahead);
        orders.load(10, 10, 1).await;
        let waits = orders.stats().waits;
        orders.load(10, 10, 300).await;
        assert_eq!(orders.stats().waits, waits);
        assert_eq!(orders.store.most_in_flight(), 1);
        assert_eq!(orders.stats().failures, 0);
    });
}

#[test]
fn lookahead_follows_a_load_that_falls_within_two_reservations() {
    run(async {
        let orders = under(PolicyName::Lookahead);
        orders.load(10, 10, 20).await;
        let before = orders.store.calls();
        while orders.store.calls() < before + 3 {
            orders.load(60, 60_000, 600).await;
        }
        let sizes = orders.store.sizes();
        let after = &sizes[before..];
        assert!(after[2] <= 120, "{after:?}");
    });
}

#[test]
fn fast_callers_do_not_wait_for_a_slow_store() {
    run(async {
        // 100,000 ids a second, in batches.
        let orders = under(PolicyName::Lookahead);
        let mut waits_by_second = Vec::new();
        for _ in 0..6 {
            for _ in 0..100 {
                let orders_too = orders.orders.clone();
                let batch = tokio::spawn(async move { orders_too.next_batch(1_000).await });
                orders.advance(10).await;
                drop(batch);
            }
            waits_by_second.push(orders.stats().waits);
        }
        let after_the_first = waits_by_second[5] - waits_by_second[0];
        assert_eq!(after_the_first, 0, "{waits_by_second:?}");
        let stats = orders.stats();
        assert_eq!((stats.issued, stats.wasted), (600_000, 0));
        // Two lookaheads of ids and a step.
        assert!(stats.remaining <= 200_100, "{stats:?}");
    });
}

#[test]
fn doubling_doubles_while_segments_are_used_up_quickly() {
    run(async {
        let orders = under(PolicyName::Doubling);
        orders.load(10, 10, 30).await;
        let sizes = orders.store.sizes();
        let adapted = &sizes[2..];
        assert!(adapted.len() >= 5, "{sizes:?}");
        assert!(
            adapted.windows(2).all(|two| two[1] == 2 * two[0]),
            "{sizes:?}"
        );
    });
}
