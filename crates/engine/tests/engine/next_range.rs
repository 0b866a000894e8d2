//! Ranges for one caller alone, beside the refill.

use mintid::{Code, SegmentOptions};

use crate::support::{Crowd, Fault, Fixture, fixed, key, refused, run, settle, unavailable};

#[test]
fn ranges_are_whole_and_meet_no_other_id() {
    run(async {
        let orders = Fixture::new(&fixed(10));
        let mut ids = Vec::new();
        for size in [1, 1_000, 7, 500] {
            ids.extend(orders.next_batch(25).await.expect("ids"));
            let range = orders.next_range(size).await.expect("a range");
            assert_eq!(range.len(), size);
            ids.extend(range.start..range.end);
        }
        let count = ids.len();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), count);
        assert_eq!(orders.stats().issued, count as u64);
    });
}

#[test]
fn a_range_leaves_what_is_in_memory_alone() {
    run(async {
        let orders = Fixture::new(&fixed(10));
        assert_eq!(orders.next().await.expect("an id"), 1);
        let range = orders.next_range(100).await.expect("a range");
        assert_eq!((range.start, range.end), (11, 111));
        assert_eq!(orders.next_batch(10).await.expect("ids")[8..], [10, 111]);
    });
}

#[test]
fn a_range_is_not_asked_for_while_a_refill_is_held_back() {
    run(async {
        let orders = Fixture::new(&fixed(10));
        orders.store.once(Fault::Fails);
        unavailable(orders.next().await);
        unavailable(orders.next_range(5).await);
        assert_eq!(orders.store.calls(), 1);
        orders.advance(100).await;
        orders.next_range(5).await.expect("a range");
    });
}

#[test]
fn a_range_that_fails_holds_the_next_attempt_back() {
    run(async {
        let orders = Fixture::new(&fixed(10));
        orders.store.once(Fault::Fails);
        unavailable(orders.next_range(5).await);
        unavailable(orders.next().await);
        unavailable(orders.next_range(5).await);
        assert_eq!(orders.store.calls(), 1);
        orders.advance(100).await;
        orders.next().await.expect("an id");
    });
}

#[test]
fn a_range_that_fails_fails_alone() {
    run(async {
        let orders = Fixture::new(&fixed(10));
        orders.store.once(Fault::HoldsReply);
        orders.store.once(Fault::Fails);
        let crowd = Crowd::of(&orders, 5);
        settle().await;
        unavailable(orders.next_range(5).await);
        settle().await;
        assert_eq!(crowd.done(), 0);
        orders.store.release();
        settle().await;
        assert_eq!(crowd.ids().await, [1, 2, 3, 4, 5]);
    });
}

#[test]
fn a_range_that_does_not_fit_ends_nothing() {
    run(async {
        let orders = Fixture::new(&SegmentOptions {
            max: Some(1_000),
            ..fixed(10)
        });
        refused(Code::RangeExhausted, orders.next_range(1_001).await);
        assert_eq!(orders.next().await.expect("an id"), 1);
        let range = orders.next_range(990).await.expect("the rest");
        assert_eq!((range.start, range.end), (11, 1_001));
        assert_eq!(orders.next_batch(9).await.expect("ids")[8], 10);
        refused(Code::RangeExhausted, orders.next().await);
    });
}

#[test]
fn a_range_of_a_hanging_store_is_given_up_at_reserve_timeout() {
    run(async {
        let orders = Fixture::new(&fixed(10));
        orders.store.once(Fault::HoldsReply);
        let range = tokio::spawn(orders.next_range(5));
        orders.advance(2_999).await;
        assert!(!range.is_finished());
        orders.advance(1).await;
        assert!(range.is_finished());
        refused(Code::RangeUnavailable, range.await.expect("no panic"));
        // Its ids were granted all the same, and are a gap.
        orders.store.release();
        orders.advance(100).await;
        assert_eq!(orders.next().await.expect("an id"), 6);
    });
}

#[test]
fn a_range_of_a_sealed_key_is_refused_as_such() {
    run(async {
        let orders = Fixture::new(&fixed(10));
        orders.store.memory().seal_now(&key("orders"));
        refused(Code::RangeSealed, orders.next_range(5).await);
    });
}
