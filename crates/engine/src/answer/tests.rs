use std::time::Duration;

use mintid_core::{Code, Name, Namespace};
use mintid_stores::{Record, StoreId};

use super::*;

/// A request for 100 ids from 101 to 10,000, by a process that has seen `floor` granted.
fn request(floor: Option<u64>) -> Reserve {
    Reserve {
        key: Namespace::default().segment_key(&Name::new("orders").expect("a name")),
        size: 100,
        initial_offset: 101,
        max: 10_000,
        floor,
        raise_to: None,
        jump: 1 << 24,
        may_create: true,
        store_id: None,
        record: Record::Segment,
        patience: Duration::from_secs(3),
    }
}

fn judged(floor: Option<u64>, start: u64, end: u64) -> Result<Range> {
    let granted = Granted {
        range: Range { start, end },
        store_id: StoreId::new("a"),
        created: false,
        new_store: false,
        raised: None,
        jumped: None,
    };
    judge("memory:", &request(floor), &granted)
}

#[track_caller]
fn accepts(floor: Option<u64>, start: u64, end: u64) {
    let range = judged(floor, start, end).expect("a range");
    assert_eq!(range, Range { start, end });
}

#[track_caller]
fn refuses(floor: Option<u64>, start: u64, end: u64, code: Code, part: &str) {
    let error = judged(floor, start, end).expect_err(part);
    assert_eq!(error.code(), code, "{error}");
    let text = error.to_string();
    assert!(text.contains(part), "{text}");
    // Whoever has to look into it needs to know where, and what was answered.
    let range = format!("[{start}, {end})");
    for word in ["memory:", "\"orders\"", &range] {
        assert!(text.contains(word), "{text}");
    }
}

#[test]
fn a_range_may_lie_anywhere_between_its_bounds() {
    accepts(None, 101, 201);
    accepts(None, 9_901, 10_001);
    accepts(Some(200), 201, 301);
    accepts(Some(200), 5_000, 5_100);
}

#[test]
fn fewer_ids_than_asked_for_are_believed() {
    accepts(None, 101, 102);
    accepts(Some(200), 250, 299);
}

#[test]
fn what_is_no_range_is_refused() {
    for (start, end) in [(201, 201), (300, 201), (0, 0), (u64::MAX, 0)] {
        refuses(None, start, end, Code::StoreError, "holds no id");
    }
}

#[test]
fn more_than_was_asked_for_is_refused() {
    for (start, end) in [(101, 202), (1, 10_001), (0, u64::MAX)] {
        refuses(None, start, end, Code::StoreError, "more than the 100 ids");
    }
}

#[test]
fn what_was_granted_before_means_that_the_store_went_back() {
    for (start, end) in [(101, 201), (200, 300), (200, 201), (1, 50)] {
        refuses(Some(200), start, end, Code::StoreWentBack, "seen 200");
    }
}

#[test]
fn ids_outside_the_generator_s_bounds_are_refused() {
    refuses(
        None,
        100,
        200,
        Code::StoreError,
        "below initialOffset = 101",
    );
    refuses(None, 0, 1, Code::StoreError, "below initialOffset = 101");
    refuses(None, 9_902, 10_002, Code::StoreError, "beyond max = 10000");
    let end = u64::MAX;
    refuses(None, end - 1, end, Code::StoreError, "beyond max = 10000");
}
