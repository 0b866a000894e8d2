//! Callers that go away before they are served.

use std::pin::pin;
use std::time::Duration;

use mintid::SegmentOptions;

use crate::support::{Crowd, Fault, Fixture, fixed, poll_once, run, settle, unavailable};

#[test]
fn callers_that_go_away_at_random_take_nothing_along() {
    for seed in 0..20 {
        run(async move {
            let mut random = fastrand::Rng::with_seed(seed);
            let orders = Fixture::new(&SegmentOptions {
                initial_offset: Some(1_000),
                ..SegmentOptions::default()
            });
            orders.delay(1_400);
            let crowd = Crowd::of(&orders, 100);
            settle().await;
            let leaves: Vec<_> = (0..100).map(|_| random.u64(1..1_400)).collect();
            for ms in 1..1_400 {
                orders.timer.advance(Duration::from_millis(1));
                let leaving = (0..100).filter(|&caller| leaves[caller] == ms);
                leaving.for_each(|caller| crowd.dismiss(caller));
            }
            orders.advance(1).await;
            assert_eq!(crowd.done(), 100);
            assert_eq!(orders.next().await.expect("an id"), 1_000, "seed {seed}");
            assert_eq!(orders.store.calls(), 1, "seed {seed}");
            assert_eq!(orders.stats().wasted, 0, "seed {seed}");
        });
    }
}

#[test]
fn a_caller_that_goes_away_once_it_is_woken_has_drawn_nothing() {
    run(async {
        let orders = Fixture::new(&fixed(10));
        {
            let mut next = pin!(orders.next());
            assert!(poll_once(&mut next).is_pending());
            settle().await;
            assert_eq!(orders.stats().remaining, 10);
        }
        assert_eq!(orders.take(1), [1]);
        assert_eq!(orders.stats().wasted, 0);
    });
}

#[test]
fn nothing_more_is_asked_for_by_those_who_went_away() {
    run(async {
        let orders = Fixture::new(&SegmentOptions::default());
        orders.store.once(Fault::HoldsReply);
        let crowd = Crowd::of(&orders, 1_000);
        settle().await;
        (0..1_000).for_each(|caller| crowd.dismiss(caller));
        orders.store.release();
        settle().await;
        orders.next_batch(1).await.expect("an id");
        let sizes = orders.store.sizes();
        assert_eq!(sizes.len(), 1, "{sizes:?}");
    });
}

#[test]
fn what_a_batch_had_drawn_when_it_was_dropped_is_lost_and_counted() {
    run(async {
        let orders = Fixture::new(&fixed(10));
        orders.ready(1).await.expect("ids");
        orders.store.once(Fault::Hangs);
        {
            let mut batch = pin!(orders.next_batch(25));
            assert!(poll_once(&mut batch).is_pending());
            settle().await;
            assert_eq!(orders.stats().wasted, 0);
        }
        assert_eq!(orders.stats().wasted, 10);
        orders.store.release();
        settle().await;
        assert_eq!(orders.take(1), [11]);
    });
}

#[test]
fn what_a_batch_had_drawn_when_it_failed_is_lost_and_counted() {
    run(async {
        let orders = Fixture::new(&fixed(10));
        orders.ready(1).await.expect("ids");
        orders.store.once(Fault::Fails);
        unavailable(orders.next_batch(25).await);
        let stats = orders.stats();
        assert_eq!((stats.wasted, stats.issued), (10, 0));
        orders.advance(100).await;
        assert_eq!(orders.next().await.expect("an id"), 11);
    });
}

#[test]
fn a_whole_batch_is_no_waste() {
    run(async {
        let orders = Fixture::new(&fixed(10));
        drop(orders.next_batch(25).await.expect("ids"));
        let stats = orders.stats();
        assert_eq!((stats.wasted, stats.issued), (0, 25));
    });
}
