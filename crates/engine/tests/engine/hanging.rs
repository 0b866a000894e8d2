//! A store that takes requests and does not answer them.

use mintid::{Code, SegmentOptions};

use crate::support::{Crowd, Fault, Fixture, fixed, refused, run, settle};

/// How many reservations may be left behind unanswered.
const MOST_UNANSWERED: usize = 8;

/// Lets a caller of a store that hangs give up, and the back-off pass.
async fn give_up(orders: &Fixture) {
    let crowd = Crowd::of(orders, 1);
    orders.advance(3_000).await;
    for outcome in crowd.outcomes().await {
        refused(Code::RangeUnavailable, outcome);
    }
    orders.advance(5_000).await;
}

#[test]
fn all_callers_give_up_together_at_reserve_timeout() {
    run(async {
        let orders = Fixture::new(&SegmentOptions::default());
        orders.store.always(Fault::Hangs);
        let crowd = Crowd::of(&orders, 100);
        orders.advance(2_999).await;
        assert_eq!(crowd.done(), 0);
        orders.advance(1).await;
        for outcome in crowd.outcomes().await {
            let error = refused(Code::RangeUnavailable, outcome);
            assert!(error.is_retryable());
        }
        assert_eq!(orders.store.calls(), 1);
    });
}

#[test]
fn a_late_answer_is_used_when_nothing_newer_has_come() {
    run(async {
        let orders = Fixture::new(&fixed(10));
        orders.store.once(Fault::HoldsReply);
        give_up(&orders).await;
        orders.store.release();
        settle().await;
        assert_eq!(orders.take(1), [1]);
        assert_eq!(orders.store.calls(), 1);
        assert_eq!(orders.stats().wasted, 0);
    });
}

#[test]
fn a_late_answer_above_the_newest_segment_is_used_after_it() {
    run(async {
        let orders = Fixture::new(&fixed(10));
        orders.store.once(Fault::Hangs);
        give_up(&orders).await;
        assert_eq!(orders.next().await.expect("an id"), 1);
        orders.store.release();
        settle().await;
        assert_eq!(orders.take(19), (2..=20).collect::<Vec<_>>());
        assert_eq!(orders.stats().wasted, 0);
    });
}

#[test]
fn a_late_answer_below_the_newest_segment_is_dropped() {
    run(async {
        let orders = Fixture::new(&fixed(10));
        orders.store.once(Fault::HoldsReply);
        give_up(&orders).await;
        assert_eq!(orders.next().await.expect("an id"), 11);
        orders.store.release();
        settle().await;
        assert_eq!(orders.take(1), [12]);
        let stats = orders.stats();
        assert_eq!((stats.wasted, stats.failures), (10, 1));
    });
}

#[test]
fn few_reservations_are_left_behind_however_long_the_store_hangs() {
    run(async {
        let orders = Fixture::new(&fixed(10));
        orders.store.always(Fault::Hangs);
        for _ in 0..3 * MOST_UNANSWERED {
            give_up(&orders).await;
        }
        assert_eq!(orders.store.calls(), 3 * MOST_UNANSWERED);
        assert_eq!(orders.store.in_flight(), MOST_UNANSWERED);
    });
}

#[test]
fn few_ranges_for_one_caller_are_left_behind_too() {
    run(async {
        let orders = Fixture::new(&fixed(10));
        orders.store.always(Fault::Hangs);
        for _ in 0..3 * MOST_UNANSWERED {
            let range = tokio::spawn(orders.next_range(10));
            orders.advance(3_000).await;
            refused(Code::RangeUnavailable, range.await.expect("no panic"));
            orders.advance(5_000).await;
        }
        assert_eq!(orders.store.calls(), 3 * MOST_UNANSWERED);
        assert_eq!(orders.store.in_flight(), MOST_UNANSWERED);
    });
}

#[test]
fn few_ranges_are_left_behind_by_callers_who_went_away() {
    run(async {
        let orders = Fixture::new(&fixed(10));
        orders.store.always(Fault::Hangs);
        for _ in 0..3 * MOST_UNANSWERED {
            let range = tokio::spawn(orders.next_range(10));
            settle().await;
            range.abort();
            settle().await;
        }
        assert_eq!(orders.store.calls(), 3 * MOST_UNANSWERED);
        assert_eq!(orders.store.in_flight(), MOST_UNANSWERED);
    });
}

#[test]
fn service_returns_when_the_store_does() {
    run(async {
        let orders = Fixture::new(&fixed(10));
        orders.store.always(Fault::Hangs);
        for _ in 0..5 {
            give_up(&orders).await;
        }
        orders.store.heal();
        orders.store.release();
        settle().await;
        let crowd = Crowd::of(&orders, 200);
        for _ in 0..20 {
            settle().await;
        }
        assert_eq!(crowd.ids().await.len(), 200);
        assert_eq!(orders.store.in_flight(), 0);
    });
}

#[test]
fn an_early_refill_that_hangs_is_tried_again_before_the_ids_are_gone() {
    run(async {
        // At an id each 100 ms the ids in memory last 5 s more when the mark is crossed.
        let orders = Fixture::new(&fixed(100));
        let mut ids = vec![orders.next().await.expect("an id")];
        orders.store.once(Fault::Hangs);
        for _ in 1..300 {
            orders.advance(100).await;
            ids.extend(orders.take(1));
        }
        assert_eq!(ids, (1..=300).collect::<Vec<_>>());
        assert_eq!(orders.stats().waits, 1);
    });
}
