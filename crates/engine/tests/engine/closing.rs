//! What goes when the last handle goes, and what does not wait for it.

use std::time::Duration;

use mintid::{Block, Code, Need, SegmentOptions};

use crate::support::{Fault, Fixture, fixed, refused, run, settle};

#[test]
fn the_store_is_closed_by_its_last_holder() {
    run(async {
        let Fixture {
            store, ids, orders, ..
        } = Fixture::new(&SegmentOptions::default());
        let other = ids.clone();
        other.close().await.expect("closed");
        assert!(!store.is_closed(), "others hold it");
        orders.next().await.expect("an id");
        drop(orders);
        ids.close().await.expect("closed");
        assert!(store.is_closed());
    });
}

#[test]
fn a_generator_keeps_its_store_open() {
    run(async {
        let Fixture {
            store, ids, orders, ..
        } = Fixture::new(&fixed(10));
        ids.close().await.expect("closed");
        assert!(!store.is_closed());
        assert_eq!(orders.next_batch(30).await.expect("ids").len(), 30);
    });
}

#[test]
fn a_reservation_on_its_way_keeps_nothing_open() {
    run(async {
        let Fixture {
            store, ids, orders, ..
        } = Fixture::new(&fixed(10));
        store.always(Fault::HoldsReply);
        assert_eq!(orders.try_next(), None);
        settle().await;
        assert_eq!(store.in_flight(), 1);
        drop(orders);
        ids.close().await.expect("closed");
        assert!(store.is_closed());
    });
}

#[test]
fn reservations_that_were_given_up_end_with_the_last_handle() {
    run(async {
        let fixture = Fixture::new(&fixed(10));
        fixture.store.always(Fault::Hangs);
        for _ in 0..5 {
            assert_eq!(fixture.try_next(), None);
            fixture.advance(3_000).await;
            fixture.advance(5_000).await;
        }
        assert_eq!(fixture.store.in_flight(), 5);
        let Fixture { store, orders, .. } = fixture;
        drop(orders);
        settle().await;
        assert_eq!(store.in_flight(), 0);
    });
}

#[test]
fn a_retry_that_waits_ends_with_the_last_handle() {
    run(async {
        let fixture = Fixture::new(&fixed(10));
        fixture.store.always(Fault::Fails);
        assert_eq!(fixture.try_next(), None);
        settle().await;
        assert_eq!(fixture.try_next(), None);
        let Fixture {
            timer,
            store,
            orders,
            ..
        } = fixture;
        settle().await;
        drop(orders);
        timer.advance(Duration::from_secs(10));
        settle().await;
        assert_eq!(store.calls(), 1);
    });
}

#[test]
fn whoever_waits_when_the_last_handle_goes_is_told_at_once() {
    run(async {
        let Fixture { store, orders, .. } = Fixture::new(&fixed(10));
        store.always(Fault::Hangs);
        let ready = tokio::spawn(orders.ready(1));
        let block = Block::new(orders);
        let in_time = tokio::spawn(block.wait(Need::of(1), 1, Duration::from_secs(1)));
        settle().await;
        assert!(!ready.is_finished() && !in_time.is_finished());
        drop(block);
        settle().await;
        assert!(ready.is_finished() && in_time.is_finished());
        refused(Code::Closed, ready.await.expect("no panic"));
        refused(Code::Closed, in_time.await.expect("no panic"));
    });
}

#[test]
fn a_call_begun_before_the_end_is_refused_after_it() {
    run(async {
        let Fixture { store, orders, .. } = Fixture::new(&fixed(10));
        let (ready, range) = (orders.ready(1), orders.next_range(1));
        drop(orders);
        refused(Code::Closed, ready.await);
        refused(Code::Closed, range.await);
        assert_eq!(store.calls(), 0);
    });
}
