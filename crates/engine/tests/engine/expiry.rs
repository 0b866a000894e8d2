//! Segments that may be held only so long.

use std::time::Duration;

use mintid::{Code, SegmentOptions};

use crate::support::{Fixture, fixed, refused, run, settle};

/// Segments of 100 ids that are good for a second.
fn short_lived() -> SegmentOptions {
    SegmentOptions {
        range_ttl: Some(Duration::from_secs(1)),
        ..fixed(100)
    }
}

#[test]
fn a_segment_is_dropped_when_its_time_is_up() {
    run(async {
        let orders = Fixture::new(&short_lived());
        assert_eq!(orders.next().await.expect("an id"), 1);
        orders.advance(999).await;
        assert_eq!(orders.take(1), [2]);
        orders.advance(1).await;
        assert_eq!(orders.next().await.expect("an id"), 101);
        let stats = orders.stats();
        assert_eq!((stats.issued, stats.wasted), (3, 98));
    });
}

#[test]
fn the_time_counts_from_the_sending_of_the_request() {
    run(async {
        let orders = Fixture::new(&short_lived());
        orders.delay(600);
        assert_eq!(orders.try_next(), None);
        orders.advance(600).await;
        assert_eq!(orders.take(1), [1]);
        orders.advance(399).await;
        assert_eq!(orders.take(1), [2]);
        orders.advance(1).await;
        assert_eq!(orders.try_next(), None);
    });
}

#[test]
fn an_idle_generator_reserves_nothing() {
    run(async {
        let orders = Fixture::new(&short_lived());
        orders.next().await.expect("an id");
        for _ in 0..100 {
            orders.advance(60_000).await;
        }
        assert_eq!(orders.store.calls(), 1);
        assert_eq!(orders.stats().remaining, 0);
    });
}

#[test]
fn a_range_that_is_too_old_on_arrival_is_a_failure_and_no_loop() {
    run(async {
        let orders = Fixture::new(&short_lived());
        orders.delay(1_000);
        let next = tokio::spawn({
            let orders = orders.orders.clone();
            async move { orders.next().await }
        });
        orders.advance(1_000).await;
        let error = refused(Code::RangeUnavailable, next.await.expect("no panic"));
        assert!(error.to_string().contains("rangeTtl"), "{error}");
        settle().await;
        assert_eq!(orders.store.calls(), 1);
        assert_eq!(orders.stats().wasted, 100);
        orders.delay(0);
        orders.advance(100).await;
        assert_eq!(orders.next().await.expect("an id"), 101);
    });
}
