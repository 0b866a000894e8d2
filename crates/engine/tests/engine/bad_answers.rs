//! Answers that are none: nothing is minted from them, and the generator goes on.

use std::collections::HashSet;

use mintid::{Code, Range, SegmentOptions};

use crate::support::{Crowd, Fault, Fixture, fixed, refused, run, settle, unavailable};

/// Lets the store answer `start..end` to a generator of ids 101–10,000 that has seen 101–200
/// granted, and asks for 100 more.
async fn check(start: u64, end: u64, code: Code, reason: &str) {
    let orders = Fixture::new(&SegmentOptions {
        initial_offset: Some(101),
        max: Some(10_000),
        ..fixed(100)
    });
    let seen = orders.next_range(100).await.expect("a range");
    assert_eq!((seen.start, seen.end), (101, 201));

    orders.store.once(Fault::Answers(Range { start, end }));
    let error = refused(code, orders.next().await);
    let told = error.cause().unwrap_or(&error).to_string();
    assert!(told.contains(reason), "{told}");
    assert_eq!(orders.try_next(), None);
    assert_eq!(orders.stats().reserved, 100);

    orders.advance(100).await;
    let ids = orders.next_batch(300).await.expect("ids");
    assert!(ids.iter().all(|id| (201..=10_000).contains(id)), "{ids:?}");
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), 300);
}

#[test]
fn a_wrong_answer_is_refused_and_the_next_one_is_used() {
    run(async {
        let unavailable = Code::RangeUnavailable;
        check(201, 302, unavailable, "more than the 100 ids").await;
        check(201, u64::MAX, unavailable, "more than the 100 ids").await;
        check(201, 201, unavailable, "holds no id").await;
        check(300, 201, unavailable, "holds no id").await;
        check(0, 0, unavailable, "holds no id").await;
        check(9_999, 10_002, unavailable, "beyond max = 10000").await;
        check(u64::MAX - 1, u64::MAX, unavailable, "beyond max = 10000").await;
        check(101, 201, Code::StoreWentBack, "had seen 200").await;
        check(200, 300, Code::StoreWentBack, "had seen 200").await;
        check(1, 101, Code::StoreWentBack, "had seen 200").await;
    });
}

#[test]
fn an_answer_below_the_first_id_is_refused() {
    run(async {
        let orders = Fixture::new(&SegmentOptions {
            initial_offset: Some(101),
            ..fixed(100)
        });
        let low = Range {
            start: 100,
            end: 200,
        };
        orders.store.once(Fault::Answers(low));
        let told = orders.next().await.expect_err("too low");
        assert!(
            told.to_string().contains("below initialOffset = 101"),
            "{told}"
        );
        unavailable(orders.next().await);
    });
}

#[test]
fn fewer_ids_than_asked_for_are_believed() {
    run(async {
        let orders = Fixture::new(&fixed(100));
        let few = Range { start: 1, end: 4 };
        orders.store.once(Fault::Answers(few));
        let ids = orders.next_batch(5).await.expect("ids");
        assert_eq!(ids[..3], [1, 2, 3]);
        assert!(ids[3] > 100, "{ids:?}");
    });
}

#[test]
fn a_range_for_one_caller_is_judged_like_any_other() {
    run(async {
        let orders = Fixture::new(&fixed(100));
        orders.next_range(100).await.expect("a range");
        let again = Range { start: 1, end: 101 };
        orders.store.once(Fault::Answers(again));
        refused(Code::StoreWentBack, orders.next_range(100).await);
        orders.advance(100).await;
        orders.next_range(100).await.expect("a range");
    });
}

#[test]
fn a_store_that_breaks_fails_its_callers_and_is_asked_again() {
    run(async {
        let orders = Fixture::new(&fixed(100));
        orders.store.once(Fault::Panics);
        let crowd = Crowd::of(&orders, 10);
        settle().await;
        for outcome in crowd.outcomes().await {
            let error = outcome.as_ref().expect_err("a failure");
            assert!(error.to_string().contains("a task broke off"), "{error}");
            unavailable(outcome);
        }
        assert_eq!(orders.store.calls(), 1);
        orders.advance(100).await;
        orders.store.once(Fault::Panics);
        unavailable(orders.next_range(10).await);
        orders.advance(200).await;
        assert_eq!(orders.next().await.expect("an id"), 1);
    });
}
