//! What happens between a failed refill and the next attempt.

use std::time::Duration;

use mintid::SegmentOptions;

use crate::support::{Crowd, Fault, Fixture, fixed, run, settle, unavailable};

/// The delays of a store that stays away, in ms.
const DELAYS: [u64; 8] = [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000];

/// Segments of 100 ids, each reserved when the one before it is used up.
fn nothing_ahead() -> SegmentOptions {
    SegmentOptions {
        lookahead: Some(Duration::ZERO),
        ..SegmentOptions::default()
    }
}

/// Lets a caller fail, and the back-off after it pass; nobody may reach the store until it has.
async fn check_delay(orders: &Fixture, ms: u64) {
    let calls = orders.store.calls();
    unavailable(orders.next().await);
    assert_eq!(orders.store.calls(), calls + 1);
    orders.advance(ms - 1).await;
    let crowd = Crowd::of(orders, 10);
    settle().await;
    crowd.outcomes().await.into_iter().for_each(unavailable);
    assert_eq!(orders.store.calls(), calls + 1, "tried before {ms} ms");
    orders.advance(1).await;
}

#[test]
fn delays_double_up_to_five_seconds_and_begin_anew_after_a_success() {
    run(async {
        let orders = Fixture::new(&nothing_ahead());
        for _ in 0..2 {
            orders.store.always(Fault::Fails);
            for ms in DELAYS {
                check_delay(&orders, ms).await;
            }
            orders.store.heal();
            assert_eq!(orders.next_batch(100).await.expect("ids").len(), 100);
        }
    });
}

#[test]
fn a_refill_that_is_wanted_during_the_delay_is_made_after_it() {
    run(async {
        let orders = Fixture::new(&nothing_ahead());
        orders.store.once(Fault::Fails);
        unavailable(orders.next().await);
        assert_eq!(orders.try_next(), None);
        orders.advance(99).await;
        assert_eq!(orders.store.calls(), 1);
        orders.advance(1).await;
        assert_eq!(orders.take(1), [1]);
    });
}

#[test]
fn a_store_that_is_away_is_not_hammered() {
    run(async {
        let orders = Fixture::new(&SegmentOptions::default());
        orders.store.always(Fault::Fails);
        // Eight callers that come back at once, for a second.
        for _ in 0..100 {
            let crowd = Crowd::of(&orders, 8);
            orders.advance(10).await;
            crowd.outcomes().await.into_iter().for_each(unavailable);
        }
        // At 0, 100, 300 and 700 ms.
        assert_eq!(orders.store.calls(), 4);
        assert_eq!(orders.stats().failures, 4);
    });
}

#[test]
fn a_store_that_came_back_is_found_by_the_first_caller_after_the_delay() {
    run(async {
        let orders = Fixture::new(&SegmentOptions::default());
        orders.store.always(Fault::Fails);
        for _ in 0..60 {
            unavailable(orders.next().await);
            orders.advance(500).await;
        }
        orders.store.heal();
        orders.advance(5_000).await;
        assert_eq!(orders.next().await.expect("an id"), 1);
    });
}

#[test]
fn a_failed_early_refill_is_tried_again_while_ids_last() {
    run(async {
        let orders = Fixture::new(&fixed(100));
        let mut ids = vec![orders.next().await.expect("an id")];
        // At an id each 10 ms the ids in memory last 500 ms more when the mark is crossed.
        orders.store.once(Fault::Fails);
        for _ in 1..1_000 {
            orders.advance(10).await;
            ids.extend(orders.take(1));
        }
        assert_eq!(ids, (1..=1_000).collect::<Vec<_>>());
        let stats = orders.stats();
        assert_eq!((stats.failures, stats.waits), (1, 1));
    });
}

#[test]
fn a_lost_reply_is_a_gap_and_never_a_duplicate() {
    run(async {
        let orders = Fixture::new(&fixed(10));
        orders.store.once(Fault::LosesReply);
        unavailable(orders.next().await);
        orders.advance(100).await;
        assert_eq!(orders.next_batch(10).await.expect("ids")[0], 11);
    });
}

#[test]
fn one_generator_s_failure_does_not_hold_another_one_back() {
    run(async {
        let orders = Fixture::new(&fixed(10));
        let bills = orders.ids.segment("bills").expect("valid");
        orders.store.once(Fault::Fails);
        unavailable(orders.next().await);
        assert_eq!(bills.next().await.expect("an id"), 1);
        unavailable(orders.next().await);
    });
}
