//! Callers that find no id in memory.

use std::pin::pin;
use std::time::Duration;

use mintid::{Code, SegmentOptions};

use crate::support::{
    Crowd, Fault, Fixture, fixed, poll_once, refused, run, settle, step, unavailable,
};

#[test]
fn callers_of_a_cold_start_share_one_reservation() {
    run(async {
        let orders = Fixture::new(&SegmentOptions::default());
        orders.delay(50);
        let crowd = Crowd::of(&orders, 100);
        orders.advance(49).await;
        assert_eq!(crowd.done(), 0);
        orders.advance(1).await;
        assert_eq!(crowd.ids().await, (1..=100).collect::<Vec<_>>());
        assert_eq!(orders.store.sizes(), [100]);
        assert_eq!(orders.stats().waits, 100);
    });
}

#[test]
fn a_failed_refill_is_told_to_everybody_at_the_same_moment() {
    run(async {
        let orders = Fixture::new(&SegmentOptions::default());
        orders.delay(50);
        orders.store.once(Fault::Fails);
        let crowd = Crowd::of(&orders, 100);
        orders.advance(49).await;
        assert_eq!(crowd.done(), 0);
        orders.advance(1).await;
        let mut told = Vec::new();
        for outcome in crowd.outcomes().await {
            told.push(outcome.as_ref().expect_err("a failure").to_string());
            unavailable(outcome);
        }
        told.dedup();
        assert_eq!(told.len(), 1, "{told:?}");
        assert_eq!(orders.store.calls(), 1);
        assert_eq!(orders.stats().failures, 1);
    });
}

#[test]
fn a_crowd_after_the_retry_time_makes_one_reservation() {
    run(async {
        let orders = Fixture::new(&SegmentOptions::default());
        orders.store.once(Fault::Fails);
        unavailable(orders.next().await);
        orders.advance(100).await;
        let crowd = Crowd::of(&orders, 100);
        settle().await;
        assert_eq!(crowd.ids().await, (1..=100).collect::<Vec<_>>());
        assert_eq!(orders.store.calls(), 2);
    });
}

#[test]
fn a_small_step_under_load_serves_everybody() {
    run(async {
        let orders = Fixture::new(&step(10));
        orders.delay(50);
        let crowd = Crowd::of(&orders, 1_000);
        for _ in 0..50 {
            orders.advance(50).await;
        }
        assert_eq!(crowd.ids().await, (1..=1_000).collect::<Vec<_>>());
        assert_eq!(orders.store.most_in_flight(), 1);
        assert_eq!(orders.stats().failures, 0);
    });
}

#[test]
fn a_small_fixed_step_takes_no_more_reservations_than_it_has_to() {
    run(async {
        let orders = Fixture::new(&SegmentOptions {
            reserve_timeout: Some(Duration::from_secs(10)),
            ..fixed(10)
        });
        orders.delay(50);
        let crowd = Crowd::of(&orders, 1_000);
        for _ in 0..100 {
            orders.advance(50).await;
        }
        assert_eq!(crowd.ids().await, (1..=1_000).collect::<Vec<_>>());
        assert_eq!(orders.store.most_in_flight(), 1);
        assert!(orders.store.calls() <= 102, "{}", orders.store.calls());
    });
}

#[test]
fn a_caller_waits_reserve_timeout_in_all_and_not_for_each_refill() {
    run(async {
        // One id a second, and a hundred who want it.
        let orders = Fixture::new(&fixed(1));
        orders.delay(1_000);
        let crowd = Crowd::of(&orders, 100);
        for served in 0..3 {
            assert_eq!(crowd.done(), served);
            orders.advance(999).await;
            assert_eq!(crowd.done(), served);
            orders.advance(1).await;
        }
        let (served, left): (Vec<_>, Vec<_>) =
            crowd.outcomes().await.into_iter().partition(Result::is_ok);
        assert!((2..=3).contains(&served.len()), "{served:?}");
        for outcome in left {
            let error = refused(Code::RangeUnavailable, outcome);
            assert!(error.to_string().contains("within 3000 ms"), "{error}");
        }
        assert_eq!(orders.stats().failures, 0);
    });
}

#[test]
fn a_batch_waits_for_as_many_refills_as_it_takes() {
    run(async {
        let orders = Fixture::new(&fixed(10));
        assert_eq!(
            orders.next_batch(35).await.expect("ids"),
            (1..=35).collect::<Vec<_>>()
        );
        let mut one_more = pin!(orders.next_batch(1));
        assert!(poll_once(&mut one_more).is_ready());
    });
}

#[test]
fn a_caller_that_does_not_wait_starts_the_refill() {
    run(async {
        let orders = Fixture::new(&fixed(10));
        assert_eq!(orders.try_next(), None);
        settle().await;
        assert_eq!(orders.try_next(), Some(1));
        assert_eq!(orders.stats().waits, 0);
    });
}

#[test]
fn arguments_out_of_bounds_reserve_nothing() {
    run(async {
        let orders = Fixture::new(&SegmentOptions::default());
        for (text, outcome) in [
            ("n = 0", orders.next_batch(0).await.map(|_| ())),
            (
                "n = 16777217",
                orders.next_batch((1 << 24) + 1).await.map(|_| ()),
            ),
            ("size = 0", orders.next_range(0).await.map(|_| ())),
            (
                "size = 281474976710657",
                orders.next_range((1 << 48) + 1).await.map(|_| ()),
            ),
            ("count = 0", orders.ready(0).await),
        ] {
            let error = refused(Code::ConfigInvalid, outcome);
            assert!(error.to_string().starts_with(text), "{error}");
        }
        settle().await;
        assert_eq!(orders.store.calls(), 0);
    });
}
