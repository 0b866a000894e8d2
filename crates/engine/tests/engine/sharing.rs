//! One engine per store, namespace and name, however many handles there are.

use std::sync::Barrier;

use mintid::{Code, Ids, IdsOptions, PolicyName, SegmentGenerator, SegmentOptions};

use crate::support::{Fixture, fixed, refused, run, settle, step, value};

fn shared(url: &str) -> Ids {
    Ids::new(url).expect("a valid URL")
}

fn in_namespace(url: &str, namespace: &str) -> Ids {
    let options = IdsOptions {
        namespace: Some(namespace.to_owned()),
        ..IdsOptions::default()
    };
    Ids::with_options(url, &options).expect("valid options")
}

fn orders(ids: &Ids) -> SegmentGenerator {
    ids.segment("orders").expect("valid")
}

#[test]
fn handles_of_one_name_on_one_store_are_one_counter() {
    run(async {
        let one = orders(&shared("memory:one-counter"));
        let two = orders(&shared("memory:one-counter"));
        assert_eq!(one.number(), two.number());
        assert_eq!(one.key().as_str(), "orders");
        for id in (1..=100).step_by(2) {
            assert_eq!(one.next().await.expect("an id"), id);
            assert_eq!(two.next().await.expect("an id"), id + 1);
        }
    });
}

#[test]
fn names_namespaces_and_stores_keep_counters_apart() {
    run(async {
        let others = [
            shared("memory:apart").segment("bills").expect("valid"),
            orders(&in_namespace("memory:apart", "shop")),
            orders(&in_namespace("memory:apart", "shop-2")),
            orders(&shared("memory:apart-2")),
            orders(&shared("memory:")),
            orders(&shared("memory:")),
        ];
        let here = orders(&shared("memory:apart"));
        here.next_batch(10).await.expect("ids");
        for other in others {
            assert_ne!(here.number(), other.number());
            assert_eq!(other.next().await.expect("an id"), 1, "{}", other.key());
        }
    });
}

/// Opens a generator with `first`, and then with `second`, which has to differ in words.
#[track_caller]
fn check_conflict(first: &SegmentOptions, second: &SegmentOptions, words: [&str; 3]) {
    let fixture = Fixture::new(first);
    let error = fixture.ids.segment_with("orders", second);
    let text = refused(Code::ConfigInvalid, error.map(|_| ())).to_string();
    for word in words {
        assert!(text.contains(word), "{text}");
    }
}

#[test]
fn another_option_is_refused_naming_it_and_both_values() {
    check_conflict(&step(100), &step(50), ["step", "50", "100"]);
    check_conflict(&step(100), &fixed(100), ["policy", "fixed", "lookahead"]);
    let high = SegmentOptions {
        max: Some(5_000),
        ..SegmentOptions::default()
    };
    check_conflict(
        &high,
        &SegmentOptions {
            max: Some(6_000),
            ..high.clone()
        },
        ["max", "6000", "5000"],
    );
}

#[test]
fn an_option_that_is_left_out_matches_anything() {
    let fixture = Fixture::new(&SegmentOptions {
        policy: Some(PolicyName::Doubling),
        keep: Some(7),
        ..SegmentOptions::default()
    });
    for options in [
        SegmentOptions::default(),
        SegmentOptions {
            keep: Some(7),
            ..SegmentOptions::default()
        },
    ] {
        let other = fixture
            .ids
            .segment_with("orders", &options)
            .expect("a match");
        assert_eq!(other.number(), fixture.number());
    }
}

#[test]
fn another_option_of_a_store_that_is_open_is_refused() {
    let url = "memory:store-options";
    let with = |repair| IdsOptions {
        repair: Some(repair),
        ..IdsOptions::default()
    };
    let first = Ids::with_options(url, &with(false)).expect("valid");
    let error = refused(
        Code::ConfigInvalid,
        Ids::with_options(url, &with(true)).map(|_| ()),
    );
    assert!(error.to_string().contains("repair"), "{error}");
    Ids::new(url).expect("left out");
    drop(first);
    Ids::with_options(url, &with(true)).expect("nobody has it open");
}

#[test]
fn threads_that_come_at_once_make_one_engine() {
    for round in 0..50 {
        let url = format!("memory:at-once-{round}");
        let barrier = Barrier::new(8);
        let open = || {
            barrier.wait();
            orders(&shared(&url))
        };
        let handles: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
            threads
                .into_iter()
                .map(|thread| thread.join().expect("no panic"))
                .collect()
        });
        let number = handles[0].number();
        assert!(handles.iter().all(|handle| handle.number() == number));
    }
}

#[test]
fn threads_that_open_close_and_disagree_at_once_never_lock_each_other_out() {
    let fixture = Fixture::new(&step(100));
    let ids = &fixture.ids;
    let disagree = |step| {
        for _ in 0..2_000 {
            let options = SegmentOptions {
                step: Some(step),
                ..SegmentOptions::default()
            };
            // Whether it meets the other one's engine is left to chance.
            let _ = ids.segment_with("bills", &options);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(move || disagree(10));
        scope.spawn(move || disagree(20));
    });
    ids.segment_with("bills", &step(30))
        .expect("nobody has it open");
}

#[test]
fn an_engine_ends_with_its_last_handle() {
    run(async {
        let fixture = Fixture::new(&fixed(10));
        let Fixture {
            store, ids, orders, ..
        } = fixture;
        let number = orders.number();
        let other = orders.clone();
        assert_eq!(orders.next().await.expect("an id"), 1);
        drop(orders);
        assert_eq!(other.try_next(), Some(2), "a handle is still there");
        drop(other);
        settle().await;

        let anew = ids
            .segment_with("orders", &fixed(20))
            .expect("nobody has it open");
        assert_ne!(anew.number(), number);
        assert_eq!(anew.next().await.expect("an id"), 11);
        assert_eq!(value(&store, "orders").await, Some(30));
    });
}

#[test]
fn a_named_memory_lasts_as_long_as_the_process() {
    run(async {
        let url = "memory:lasting";
        let ids = shared(url);
        let last = orders(&ids).next_batch(50).await.expect("ids")[49];
        ids.close().await.expect("closed");

        let ids = shared(url);
        let bills = ids.segment("bills").expect("valid");
        assert_eq!(bills.next().await.expect("an id"), 1);
        let next = orders(&ids).next().await.expect("an id");
        assert_eq!((last, next), (50, 101));
    });
}
