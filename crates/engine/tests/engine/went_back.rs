//! A store that remembers less than a process has seen of it: no id is given twice.

use std::collections::HashSet;

use mintid::stores::memory::MemoryStore;
use mintid::{Code, IdsOptions};

use crate::support::{Crowd, Fault, FaultyStore, Fixture, fixed, key, refused, run, settle, value};

const JUMP: u64 = 1_000;

fn jumping() -> IdsOptions {
    IdsOptions {
        jump: Some(JUMP),
        ..IdsOptions::default()
    }
}

/// Whether `id` is the first one after a leap above `floor`.
#[track_caller]
fn assert_leapt(floor: u64, id: u64) {
    let leap = id - floor - 1;
    assert!((JUMP..2 * JUMP).contains(&leap), "{floor} to {id}");
}

/// Uses what is in memory and comes to the first id after the store went back.
async fn first_after_memory(orders: &Fixture) -> u64 {
    while orders.try_next().is_some() {}
    orders.advance(0).await;
    orders.next().await.expect("the counter is raised")
}

#[test]
fn a_counter_that_went_back_is_raised_by_a_jump_above_all_that_was_seen() {
    run(async {
        let faults: [fn(&FaultyStore); 2] = [
            |store| store.memory().rewind(&key("orders"), 3_000),
            |store| store.memory().wipe(),
        ];
        for fault in faults {
            let orders = Fixture::on(&MemoryStore::default(), &jumping(), &fixed(10));
            orders.next_batch(5_000).await.expect("ids");
            let floor = value(&orders.store, "orders").await.expect("a counter");
            fault(&orders.store);
            assert_leapt(floor, first_after_memory(&orders).await);
            let more = orders.next_batch(100).await.expect("ids");
            assert!(more[0] > floor + JUMP && more.is_sorted());
        }
    });
}

#[test]
fn no_two_leaps_are_of_one_length() {
    run(async {
        let mut leaps = HashSet::new();
        for _ in 0..10 {
            let orders = Fixture::on(&MemoryStore::default(), &jumping(), &fixed(10));
            orders.ready(1).await.expect("ids");
            orders.store.memory().wipe();
            leaps.insert(first_after_memory(&orders).await);
        }
        assert!(leaps.len() > 1, "{leaps:?}");
    });
}

#[test]
fn a_key_that_did_not_go_back_is_left_alone() {
    run(async {
        let orders = Fixture::on(&MemoryStore::default(), &jumping(), &fixed(10));
        let bills = orders.ids.segment_with("bills", &fixed(10)).expect("valid");
        orders.next_batch(5_000).await.expect("ids");
        let before = bills.next_batch(50).await.expect("ids");
        orders.store.memory().rewind(&key("orders"), 3_000);
        first_after_memory(&orders).await;
        let after = bills.next_batch(50).await.expect("ids");
        assert_eq!(before[49] + 1, after[0]);
    });
}

#[test]
fn without_repair_nothing_is_granted_until_somebody_has_raised_the_counter() {
    run(async {
        let options = IdsOptions {
            repair: Some(false),
            ..IdsOptions::default()
        };
        let orders = Fixture::on(&MemoryStore::default(), &options, &fixed(10));
        orders.next_batch(5_000).await.expect("ids");
        orders.store.memory().rewind(&key("orders"), 3_000);
        while orders.try_next().is_some() {}
        for _ in 0..3 {
            let error = refused(Code::StoreWentBack, orders.next().await);
            assert!(error.is_retryable());
            assert!(error.to_string().contains("3000"), "{error}");
            orders.advance(5_000).await;
        }
        assert_eq!(value(&orders.store, "orders").await, Some(3_000));
        orders.store.memory().rewind(&key("orders"), 9_000);
        orders.advance(5_000).await;
        assert_eq!(orders.next().await.expect("an id"), 9_001);
    });
}

#[test]
fn two_processes_that_both_notice_give_no_id_twice() {
    run(async {
        for _ in 0..20 {
            let memory = MemoryStore::default();
            let one = Fixture::on(&memory, &jumping(), &fixed(10));
            let two = Fixture::on(&memory, &jumping(), &fixed(10));
            let mut ids = Vec::new();
            for _ in 0..50 {
                ids.extend(one.next_batch(7).await.expect("ids"));
                ids.extend(two.next_batch(13).await.expect("ids"));
            }
            memory.wipe();
            for _ in 0..50 {
                ids.extend(one.next_batch(7).await.expect("ids"));
                ids.extend(two.next_batch(13).await.expect("ids"));
            }
            let distinct: HashSet<_> = ids.iter().collect();
            assert_eq!(distinct.len(), ids.len());
        }
    });
}

#[test]
fn another_store_in_the_place_of_the_one_known_grants_nothing() {
    run(async {
        let memory = MemoryStore::default();
        let orders = Fixture::on(&memory, &jumping(), &fixed(10));
        orders.next_batch(10).await.expect("ids");
        memory.wipe();
        let stranger = Fixture::on(&memory, &jumping(), &fixed(10));
        stranger.next_batch(10).await.expect("ids of a new store");
        while orders.try_next().is_some() {}
        orders.advance(5_000).await;
        let error = refused(Code::StoreWentBack, orders.next().await);
        assert!(error.to_string().contains("another store"), "{error}");
        // Nor may a key that this process never saw count from 1 there.
        let bills = orders.ids.segment("bills").expect("valid");
        refused(Code::StoreWentBack, bills.next().await);
    });
}

#[test]
fn a_key_never_seen_is_not_made_in_a_store_that_was_wiped() {
    run(async {
        let orders = Fixture::on(&MemoryStore::default(), &jumping(), &fixed(10));
        orders.next_batch(10).await.expect("ids");
        orders.store.memory().wipe();
        let bills = orders.ids.segment("bills").expect("valid");
        refused(Code::StoreWentBack, bills.next().await);
        // A key that was seen brings the store's id back with it.
        first_after_memory(&orders).await;
        orders.advance(100).await;
        assert_eq!(bills.next().await.expect("an id"), 1);
    });
}

#[test]
fn a_process_with_a_floor_repairs_even_where_nothing_may_be_created() {
    run(async {
        let memory = MemoryStore::default();
        let first_start = Fixture::on(&memory, &jumping(), &fixed(10));
        first_start.next().await.expect("it makes the generator");
        let options = IdsOptions {
            allow_create: Some(false),
            ..jumping()
        };
        let orders = Fixture::on(&memory, &options, &fixed(10));
        orders.next().await.expect("an id");
        let floor = value(&orders.store, "orders").await.expect("a counter");
        memory.wipe();
        assert_leapt(floor, first_after_memory(&orders).await);
    });
}

#[test]
fn a_late_answer_does_not_lower_what_was_seen() {
    run(async {
        let orders = Fixture::on(&MemoryStore::default(), &jumping(), &fixed(10));
        orders.store.once(Fault::HoldsReply);
        let crowd = Crowd::of(&orders, 1);
        orders.advance(3_000).await;
        for outcome in crowd.outcomes().await {
            refused(Code::RangeUnavailable, outcome);
        }
        orders.advance(100).await;
        // Farther than two leaps above the late answer.
        orders.next_batch(5_000).await.expect("ids");
        let floor = value(&orders.store, "orders").await.expect("a counter");
        orders.store.release();
        settle().await;
        orders.store.memory().wipe();
        assert_leapt(floor, first_after_memory(&orders).await);
    });
}
