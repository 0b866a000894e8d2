mod histories;

use mintid_core::{Code, Name, Namespace};

use super::*;
use crate::range_store::Record;

fn key() -> Key {
    Namespace::default().segment_key(&Name::new("orders").expect("a plain name"))
}

fn request() -> Reserve {
    Reserve {
        key: key(),
        size: 10,
        initial_offset: 1,
        max: MAX_ID,
        floor: None,
        raise_to: None,
        jump: 1 << 24,
        may_create: true,
        store_id: None,
        record: Record::Segment,
        patience: std::time::Duration::from_secs(3),
    }
}

/// A store with the id `a` that knows the generator and has granted up to `value`.
fn standing_at(value: u64) -> Remembered {
    Remembered {
        store_id: Some(StoreId::new("a")),
        record: Some("segment".to_owned()),
        value: Some(value),
        sealed: false,
    }
}

fn judge(remembered: &Remembered, request: &Reserve) -> Result<Granted> {
    decide("store:", remembered, request, || StoreId::new("fresh"))
}

fn range(start: u64, end: u64) -> Range {
    Range { start, end }
}

#[track_caller]
fn refused(remembered: &Remembered, request: &Reserve, code: Code, says: &str) {
    let error = judge(remembered, request).expect_err("refused");
    assert_eq!(error.code(), code, "{error}");
    assert!(
        error.to_string().contains(says),
        "{error} does not say {says:?}"
    );
}

#[test]
fn a_new_store_gets_a_fresh_id_and_grants_from_the_initial_offset() {
    let granted = judge(
        &Remembered::default(),
        &Reserve {
            initial_offset: 1000,
            ..request()
        },
    )
    .expect("granted");
    assert_eq!(
        granted,
        Granted {
            range: range(1000, 1010),
            store_id: StoreId::new("fresh"),
            created: true,
            new_store: true,
            raised: None,
            jumped: None,
        }
    );
}

#[test]
fn a_known_counter_goes_on_under_the_id_that_is_there() {
    let granted = judge(&standing_at(40), &request()).expect("granted");
    assert_eq!(
        granted,
        Granted {
            range: range(41, 51),
            store_id: StoreId::new("a"),
            created: false,
            new_store: false,
            raised: None,
            jumped: None,
        }
    );
}

#[test]
fn the_initial_offset_bounds_every_reservation_from_below() {
    for (offset, start) in [(1, 41), (41, 41), (42, 42), (5000, 5000)] {
        let granted = judge(
            &standing_at(40),
            &Reserve {
                initial_offset: offset,
                ..request()
            },
        )
        .expect("granted");
        assert_eq!(granted.range.start, start, "initial_offset {offset}");
        assert!(!granted.created);
    }
}

#[test]
fn a_sealed_key_is_refused_whatever_else_holds() {
    let sealed = Remembered {
        sealed: true,
        ..standing_at(40)
    };
    refused(&sealed, &request(), Code::RangeSealed, "orders");
    let tombstone = Remembered {
        sealed: true,
        ..Remembered::default()
    };
    let able_to_repair = Reserve {
        floor: Some(90),
        raise_to: Some(100),
        ..request()
    };
    refused(&tombstone, &able_to_repair, Code::RangeSealed, "orders");
}

#[test]
fn another_store_is_refused_with_and_without_a_floor() {
    let met_b = Reserve {
        store_id: Some(StoreId::new("b")),
        ..request()
    };
    refused(
        &standing_at(40),
        &met_b,
        Code::StoreWentBack,
        "its id is a, and this process has met b",
    );
    let able_to_repair = Reserve {
        floor: Some(90),
        raise_to: Some(100),
        ..met_b
    };
    refused(
        &standing_at(40),
        &able_to_repair,
        Code::StoreWentBack,
        "store:",
    );
}

#[test]
fn a_wiped_store_takes_its_id_back_from_a_process_with_a_floor() {
    let granted = judge(
        &Remembered::default(),
        &Reserve {
            store_id: Some(StoreId::new("a")),
            floor: Some(90),
            raise_to: Some(100),
            ..request()
        },
    )
    .expect("repaired");
    assert_eq!(
        granted,
        Granted {
            range: range(101, 111),
            store_id: StoreId::new("a"),
            created: false,
            new_store: false,
            raised: Some(Raise { from: 0, to: 100 }),
            jumped: None,
        }
    );
}

#[test]
fn a_wiped_store_grants_nothing_to_a_process_without_a_floor() {
    let met = Reserve {
        store_id: Some(StoreId::new("a")),
        ..request()
    };
    refused(
        &Remembered::default(),
        &met,
        Code::StoreWentBack,
        "lost its id a",
    );
}

#[test]
fn another_kind_of_generator_is_a_mismatch() {
    let periodic = Remembered {
        record: Some("periodic".to_owned()),
        ..standing_at(40)
    };
    refused(
        &periodic,
        &request(),
        Code::LayoutMismatch,
        "as a periodic generator, not as a segment generator",
    );
}

#[test]
fn an_unknown_generator_is_created_only_where_that_is_allowed() {
    let strict = Reserve {
        may_create: false,
        ..request()
    };
    let unknown = Remembered {
        store_id: Some(StoreId::new("a")),
        ..Remembered::default()
    };
    refused(&unknown, &strict, Code::RangeMissing, "allowCreate");
    assert_eq!(
        judge(&standing_at(40), &strict).expect("known").range.start,
        41
    );
}

#[test]
fn a_process_with_a_floor_is_repaired_also_where_creating_is_not_allowed() {
    let strict = Reserve {
        may_create: false,
        floor: Some(90),
        raise_to: Some(100),
        ..request()
    };
    let granted = judge(&Remembered::default(), &strict).expect("repaired");
    assert_eq!(granted.range, range(101, 111));
    assert_eq!(granted.raised, Some(Raise { from: 0, to: 100 }));
}

#[test]
fn a_counter_below_the_floor_is_raised_above_it_before_anything_is_granted() {
    let request = Reserve {
        floor: Some(90),
        raise_to: Some(100),
        ..request()
    };
    let granted = judge(&standing_at(40), &request).expect("repaired");
    assert_eq!(granted.range, range(101, 111));
    assert_eq!(granted.raised, Some(Raise { from: 40, to: 100 }));
}

#[test]
fn a_raise_below_the_floor_is_lifted_to_it() {
    let request = Reserve {
        floor: Some(90),
        raise_to: Some(50),
        ..request()
    };
    assert_eq!(
        judge(&standing_at(40), &request).expect("repaired").range,
        range(91, 101)
    );
}

#[test]
fn without_a_raise_a_counter_below_the_floor_is_refused() {
    let bare = Reserve {
        floor: Some(90),
        ..request()
    };
    refused(
        &standing_at(40),
        &bare,
        Code::StoreWentBack,
        "stands at 40, and 90 was granted before",
    );
    let gone = Remembered {
        value: None,
        ..standing_at(0)
    };
    refused(&gone, &bare, Code::StoreWentBack, "stands at nothing");
}

#[test]
fn a_counter_at_or_above_the_floor_raises_no_alarm() {
    for value in [90, 91, 5000] {
        let granted = judge(
            &standing_at(value),
            &Reserve {
                floor: Some(90),
                ..request()
            },
        )
        .expect("granted");
        assert_eq!(granted.range.start, value + 1);
        assert_eq!(granted.raised, None);
    }
}

#[test]
fn nothing_is_granted_past_the_generators_own_maximum() {
    let bounded = Reserve {
        max: 100,
        ..request()
    };
    assert_eq!(
        judge(&standing_at(90), &bounded).expect("fits").range,
        range(91, 101)
    );
    refused(
        &standing_at(91),
        &bounded,
        Code::RangeExhausted,
        "10 more ids after 91 would pass max = 100",
    );
}

#[test]
fn nothing_is_granted_past_the_last_id_and_nothing_wraps() {
    assert_eq!(
        judge(&standing_at(MAX_ID - 10), &request())
            .expect("fits")
            .range
            .last(),
        MAX_ID
    );
    let over = [
        (MAX_ID - 9, 10),
        (MAX_ID, 1),
        (MAX_ID + 1, 1),
        (40, u64::MAX),
    ];
    for (value, size) in over {
        let large = Reserve { size, ..request() };
        refused(&standing_at(value), &large, Code::RangeExhausted, "orders");
    }
    let unbounded = Reserve {
        max: u64::MAX,
        size: 10,
        ..request()
    };
    refused(
        &standing_at(MAX_ID - 9),
        &unbounded,
        Code::RangeExhausted,
        "orders",
    );
}

#[test]
fn a_raise_past_the_maximum_grants_nothing() {
    let request = Reserve {
        max: 100,
        floor: Some(90),
        raise_to: Some(95),
        ..request()
    };
    refused(&standing_at(40), &request, Code::RangeExhausted, "after 95");
}

#[test]
fn a_floor_is_written_only_where_it_raises() {
    for (value, writes) in [(39, false), (40, false), (41, true), (MAX_ID, true)] {
        assert_eq!(
            decide_floor(&standing_at(40), &key(), value).expect("possible"),
            writes,
            "{value}"
        );
    }
    assert!(decide_floor(&Remembered::default(), &key(), 0).expect("possible"));
}

#[test]
fn a_floor_is_refused_for_a_sealed_key_and_past_the_last_id() {
    let sealed = Remembered {
        sealed: true,
        ..standing_at(40)
    };
    let error = decide_floor(&sealed, &key(), 50).expect_err("sealed");
    assert_eq!(error.code(), Code::RangeSealed);
    let error = decide_floor(&standing_at(40), &key(), MAX_ID + 1).expect_err("too high");
    assert_eq!(error.code(), Code::RangeExhausted);
}
