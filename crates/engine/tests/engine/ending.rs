//! Generators that come to their end: the highest id, a seal, a shape that does not match.

use mintid::stores::memory::MemoryStore;
use mintid::{Code, IdsOptions, PolicyName, SegmentOptions};

use crate::support::{Fixture, fixed, key, refused, run, settle, step, value};

/// The highest id there is.
const MAX_ID: u64 = (1 << 63) - 2;

#[test]
fn a_step_that_does_not_fit_any_more_leaves_the_counter_alone() {
    run(async {
        let orders = Fixture::new(&fixed(100));
        orders.store.memory().rewind(&key("orders"), MAX_ID - 50);
        for _ in 0..3 {
            refused(Code::RangeExhausted, orders.next().await);
            orders.advance(5_000).await;
        }
        assert_eq!(value(&orders.store, "orders").await, Some(MAX_ID - 50));
        assert_eq!(orders.store.calls(), 1, "what is final is not tried again");
    });
}

#[test]
fn the_last_id_of_all_is_served() {
    run(async {
        let orders = Fixture::new(&fixed(1));
        orders.store.memory().rewind(&key("orders"), MAX_ID - 1);
        assert_eq!(orders.next().await.expect("the last"), MAX_ID);
        for _ in 0..3 {
            refused(Code::RangeExhausted, orders.next().await);
        }
        assert_eq!(value(&orders.store, "orders").await, Some(MAX_ID));
    });
}

/// How far a generator that adapts its size comes with batches of 300, up to 1,050.
async fn check_last(options: SegmentOptions, last: u64) {
    let orders = Fixture::new(&SegmentOptions {
        max: Some(1_050),
        ..options
    });
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.extend(orders.next_batch(300).await.expect("ids"));
    }
    loop {
        match orders.next().await {
            Ok(id) => ids.push(id),
            outcome => {
                refused(Code::RangeExhausted, outcome);
                break;
            }
        }
    }
    assert_eq!(ids, (1..=last).collect::<Vec<_>>());
}

#[test]
fn large_reservations_shrink_until_the_last_full_step_is_served() {
    run(async {
        check_last(step(100), 1_000).await;
        check_last(step(7), 1_050).await;
        for policy in [PolicyName::Proportional, PolicyName::Doubling] {
            let options = SegmentOptions {
                policy: Some(policy),
                ..SegmentOptions::default()
            };
            check_last(options, 1_050).await;
        }
    });
}

#[test]
fn ids_in_memory_outlast_the_end() {
    run(async {
        let orders = Fixture::new(&fixed(100));
        assert_eq!(orders.next().await.expect("an id"), 1);
        orders.store.memory().seal_now(&key("orders"));
        // Crosses the mark, and the refill finds the seal.
        let ids = orders.take(60);
        settle().await;
        assert_eq!(orders.stats().failures, 1);
        assert_eq!(orders.take(39), (62..=100).collect::<Vec<_>>());
        assert_eq!(ids.last(), Some(&61));
        for _ in 0..3 {
            refused(Code::RangeSealed, orders.next().await);
            assert_eq!(orders.try_next(), None);
            orders.advance(60_000).await;
        }
        assert_eq!(orders.store.calls(), 2);
    });
}

#[test]
fn a_seal_holds_for_new_processes_and_for_no_other_key() {
    run(async {
        let memory = MemoryStore::default();
        let ids = IdsOptions::default();
        let orders = Fixture::on(&memory, &ids, &fixed(10));
        orders.next().await.expect("an id");
        orders.store.memory().seal_now(&key("orders"));
        let later = Fixture::on(&memory, &ids, &fixed(10));
        refused(Code::RangeSealed, later.next().await);
        let bills = later.ids.segment("bills").expect("valid");
        assert_eq!(bills.next().await.expect("an id"), 1);
    });
}

#[test]
fn an_unknown_generator_is_not_made_where_that_is_not_allowed() {
    run(async {
        let memory = MemoryStore::default();
        let options = IdsOptions {
            allow_create: Some(false),
            ..IdsOptions::default()
        };
        let orders = Fixture::on(&memory, &options, &fixed(10));
        let error = refused(Code::RangeMissing, orders.next().await);
        assert!(error.to_string().contains("allowCreate"), "{error}");
        assert_eq!(value(&orders.store, "orders").await, None);

        let first_start = Fixture::on(&memory, &IdsOptions::default(), &fixed(10));
        first_start.next().await.expect("it makes the generator");
        let orders = Fixture::on(&memory, &options, &fixed(10));
        assert_eq!(orders.next().await.expect("an id"), 11);
    });
}
