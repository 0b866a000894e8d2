//! Waiting until ids are in memory, or until the store answers.

use std::time::Duration;

use mintid::stores::memory::MemoryStore;
use mintid::{Code, IdsOptions, SegmentOptions};

use crate::support::{Fault, Fixture, fixed, key, refused, run, step};

#[test]
fn as_many_ids_are_in_memory_as_were_waited_for() {
    run(async {
        for options in [fixed(10), step(100)] {
            let orders = Fixture::new(&options);
            orders.ready(500).await.expect("ids");
            let calls = orders.store.calls();
            assert_eq!(orders.take(500), (1..=500).collect::<Vec<_>>());
            assert_eq!(orders.store.calls(), calls, "some ids were not there yet");
        }
    });
}

#[test]
fn what_is_kept_comes_on_top() {
    run(async {
        let orders = Fixture::new(&SegmentOptions {
            keep: Some(200),
            ..step(100)
        });
        orders.ready(100).await.expect("ids");
        assert!(orders.stats().remaining >= 300, "{:?}", orders.stats());
    });
}

#[test]
fn a_second_call_has_nothing_to_wait_for() {
    run(async {
        let orders = Fixture::new(&step(100));
        orders.ready(100).await.expect("ids");
        orders.store.always(Fault::Fails);
        orders.ready(100).await.expect("the same ids");
        assert_eq!(orders.store.calls(), 1);
    });
}

#[test]
fn a_store_that_fails_is_unavailable_until_it_is_tried_again() {
    run(async {
        let orders = Fixture::new(&step(100));
        orders.store.once(Fault::Fails);
        for _ in 0..3 {
            let error = refused(Code::StoreUnavailable, orders.ready(1).await);
            let cause = error.cause().expect("a cause");
            assert_eq!(cause.code(), Code::StoreError, "{cause}");
            assert!(error.to_string().contains("memory:"), "{error}");
        }
        assert_eq!(orders.store.calls(), 1);
        orders.advance(100).await;
        orders.ready(1).await.expect("ids");
    });
}

#[test]
fn a_store_that_hangs_is_unavailable_at_reserve_timeout() {
    run(async {
        let orders = Fixture::new(&step(100));
        orders.store.always(Fault::Hangs);
        let ready = tokio::spawn(orders.ready(1));
        orders.advance(2_999).await;
        assert!(!ready.is_finished());
        orders.advance(1).await;
        assert!(ready.is_finished());
        let error = refused(Code::StoreUnavailable, ready.await.expect("no panic"));
        let cause = error.cause().expect("a cause");
        assert_eq!(cause.code(), Code::RangeUnavailable, "{cause}");
    });
}

#[test]
fn final_errors_come_as_themselves() {
    run(async {
        let orders = Fixture::new(&step(100));
        orders.store.memory().seal_now(&key("orders"));
        refused(Code::RangeSealed, orders.ready(1).await);
    });
}

#[test]
fn more_than_can_be_held_is_refused() {
    run(async {
        let orders = Fixture::new(&fixed(1));
        orders.ready(1_024).await.expect("all that can be held");
        let error = refused(Code::ConfigInvalid, orders.ready(1_025).await);
        assert!(error.to_string().contains("count = 1025"), "{error}");
        assert!(error.to_string().contains("at most 1024"), "{error}");
        assert_eq!(orders.store.calls(), 1_024);
    });
}

#[test]
fn a_store_is_reached_without_reserving_anything() {
    run(async {
        let orders = Fixture::new(&step(100));
        orders.ids.ready().await.expect("it answers");
        assert_eq!(orders.store.calls(), 0);
    });
}

#[test]
fn a_store_that_cannot_be_reached_is_unavailable_and_may_be_tried_again() {
    run(async {
        let orders = Fixture::new(&step(100));
        for fault in [Fault::Fails, Fault::Panics] {
            orders.store.always(fault);
            let error = refused(Code::StoreUnavailable, orders.ids.ready().await);
            let cause = error.cause().expect("a cause");
            assert_eq!(cause.code(), Code::StoreError, "{cause}");
        }
        orders.store.heal();
        orders.ids.ready().await.expect("it answers");
    });
}

#[test]
fn a_store_that_does_not_answer_is_unavailable_at_connect_timeout() {
    run(async {
        let options = IdsOptions {
            connect_timeout: Some(Duration::from_millis(700)),
            ..IdsOptions::default()
        };
        let orders = Fixture::on(&MemoryStore::default(), &options, &step(100));
        orders.store.always(Fault::Hangs);
        let ready = tokio::spawn(orders.ids.ready());
        orders.advance(699).await;
        assert!(!ready.is_finished());
        orders.advance(1).await;
        assert!(ready.is_finished());
        let error = refused(Code::StoreUnavailable, ready.await.expect("no panic"));
        assert!(
            error.to_string().contains("connectTimeout = 700 ms"),
            "{error}"
        );
    });
}
