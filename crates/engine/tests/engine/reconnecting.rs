//! A store that was away and is back is asked again at once, whatever back-off its failures left.

use mintid::{Code, Error, SegmentOptions};

use crate::support::{Fault, Fixture, fixed, refused, run, settle};

fn unreachable() -> Fault {
    Fault::Refuses(Error::Unreachable {
        store: "memory:".to_owned(),
        reason: "connection refused".to_owned(),
    })
}

/// Lets the store stay away until the back-off is at its longest.
async fn stay_away(orders: &Fixture) {
    orders.store.always(unreachable());
    for _ in 0..10 {
        let error = refused(Code::RangeUnavailable, orders.next().await);
        assert_eq!(error.root().code(), Code::StoreUnavailable);
        orders.advance(5_000).await;
    }
    refused(Code::RangeUnavailable, orders.next().await);
}

#[test]
fn the_next_caller_is_served_as_soon_as_the_store_was_reached_anew() {
    run(async {
        let orders = Fixture::new(&SegmentOptions::default());
        stay_away(&orders).await;
        let calls = orders.store.calls();
        refused(Code::RangeUnavailable, orders.next().await);
        assert_eq!(orders.store.calls(), calls, "before it was back");
        orders.store.reconnect();
        assert_eq!(orders.next().await.expect("an id"), 1);
        assert_eq!(orders.store.calls(), calls + 1);
    });
}

#[test]
fn a_range_of_its_own_is_had_as_soon_as_the_store_was_reached_anew() {
    run(async {
        let orders = Fixture::new(&SegmentOptions::default());
        stay_away(&orders).await;
        refused(Code::RangeUnavailable, orders.next_range(10).await);
        orders.store.reconnect();
        assert_eq!(orders.next_range(10).await.expect("a range").start, 1);
    });
}

#[test]
fn an_early_refill_that_is_put_off_is_made_as_soon_as_the_store_was_reached_anew() {
    run(async {
        let orders = Fixture::new(&fixed(1_000));
        assert_eq!(orders.next().await.expect("an id"), 1);
        orders.store.always(unreachable());
        // Across the mark, so slowly that the ids left last for minutes.
        for _ in 0..60 {
            orders.advance(1_000).await;
            orders.take(10);
        }
        let calls = orders.store.calls();
        settle().await;
        assert_eq!(orders.store.calls(), calls);
        orders.store.reconnect();
        settle().await;
        assert_eq!(orders.store.calls(), calls + 1);
    });
}

#[test]
fn one_return_ends_one_back_off() {
    run(async {
        let orders = Fixture::new(&SegmentOptions::default());
        stay_away(&orders).await;
        orders.store.reconnect();
        orders.store.always(unreachable());
        refused(Code::RangeUnavailable, orders.next().await);
        let calls = orders.store.calls();
        for _ in 0..10 {
            refused(Code::RangeUnavailable, orders.next().await);
        }
        assert_eq!(
            orders.store.calls(),
            calls,
            "a store that fails again is not hammered"
        );
        orders.store.heal();
        orders.advance(5_000).await;
        assert_eq!(orders.next().await.expect("an id"), 1);
    });
}
