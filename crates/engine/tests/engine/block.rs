//! A binding's block: ids drawn for a realm and handed out there.

use std::time::Duration;

use mintid::{Block, Code, Need, SegmentOptions};

use crate::support::{Fault, Fixture, fixed, key, refused, run, settle};

#[test]
fn a_block_takes_at_most_a_quarter_of_a_segment() {
    run(async {
        let orders = Fixture::new(&fixed(100));
        orders.ready(100).await.expect("ids");
        let block = Block::new(orders.orders.clone());
        let mut ids = [0; 64];
        assert_eq!(block.refill(&mut ids, 0), 25);
        assert_eq!(ids[..26], [(1..=25).collect::<Vec<_>>(), vec![0]].concat());
        assert_eq!(block.refill(&mut ids[..10], 25), 10);
        assert_eq!(ids[..10], (26..=35).collect::<Vec<_>>());
    });
}

#[test]
fn ids_count_as_issued_once_they_are_handed_out() {
    run(async {
        let orders = Fixture::new(&fixed(100));
        orders.ready(100).await.expect("ids");
        let block = Block::new(orders.orders.clone());
        let mut ids = [0; 25];
        block.refill(&mut ids, 0);
        assert_eq!(block.stats().issued, 0);
        block.report(10);
        assert_eq!(block.stats().issued, 10);
        // More than there are were never held.
        block.report(1_000);
        assert_eq!(block.stats().issued, 25);
    });
}

#[test]
fn what_a_block_holds_is_lost_with_it_and_counted() {
    run(async {
        let orders = Fixture::new(&fixed(100));
        orders.ready(100).await.expect("ids");
        let block = Block::new(orders.orders.clone());
        block.refill(&mut [0; 25], 0);
        block.report(10);
        block.lose(5);
        assert_eq!(orders.stats().wasted, 5);
        drop(block);
        let stats = orders.stats();
        assert_eq!((stats.issued, stats.wasted), (10, 15));
        assert_eq!(orders.take(1), [26]);
    });
}

#[test]
fn a_block_knows_when_its_ids_grow_too_old() {
    run(async {
        let orders = Fixture::new(&SegmentOptions {
            range_ttl: Some(Duration::from_secs(5)),
            ..fixed(100)
        });
        let block = Block::new(orders.orders.clone());
        assert_eq!(block.refill(&mut [0; 25], 0), 0);
        assert_eq!(block.expires(), None);
        orders.ready(100).await.expect("ids");
        assert_eq!(block.refill(&mut [0; 25], 0), 25);
        let expires = block.expires().expect("an expiry").since_origin();
        assert_eq!(expires, Duration::from_secs(5));
    });
}

#[test]
fn a_block_waits_no_longer_than_its_caller() {
    run(async {
        let orders = Fixture::new(&fixed(100));
        orders.store.once(Fault::Hangs);
        let block = Block::new(orders.orders.clone());
        let waits =
            tokio::spawn(
                async move { block.wait(Need::of(3), 3, Duration::from_millis(200)).await },
            );
        orders.advance(199).await;
        assert!(!waits.is_finished());
        orders.advance(1).await;
        let in_time = waits.await.expect("no panic").expect("no failure");
        assert!(!in_time);
        assert_eq!(orders.stats().waits, 3);
        orders.store.release();
        settle().await;
        assert_eq!(orders.take(1), [1]);
    });
}

#[test]
fn a_block_is_told_of_a_final_failure() {
    run(async {
        let orders = Fixture::new(&fixed(100));
        orders.store.memory().seal_now(&key("orders"));
        let block = Block::new(orders.orders.clone());
        let limit = Duration::from_secs(1);
        refused(Code::RangeSealed, block.wait(Need::of(1), 1, limit).await);
        assert_eq!(block.refill(&mut [0; 25], 0), 0);
    });
}

#[test]
fn an_array_is_filled_from_memory_as_far_as_that_goes() {
    run(async {
        let orders = Fixture::new(&fixed(10));
        let mut ids = [0; 25];
        assert_eq!(orders.try_fill(&mut ids), 0);
        orders.ready(20).await.expect("ids");
        assert_eq!(orders.try_fill(&mut ids), 20);
        assert_eq!(ids[..20], (1..=20).collect::<Vec<_>>());
        assert_eq!(ids[20..], [0; 5]);
        assert_eq!(orders.try_fill(&mut []), 0);
    });
}
