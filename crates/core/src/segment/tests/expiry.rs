//! `rangeTtl`: ids that were held too long.

use super::*;

/// Segments of 10 ids that may be held for a second.
fn fixture() -> Fixture {
    Fixture::new(&SegmentOptions {
        range_ttl: Some(Duration::from_secs(1)),
        ..fixed(10)
    })
}

#[test]
fn an_expired_segment_is_waste_and_never_served() {
    let mut fixture = fixture();
    fixture.refill();
    fixture.advance(999);
    assert_eq!(fixture.ids(3), Some((1, 3)));
    fixture.advance(1);
    assert_eq!(fixture.ids(3), None);
    assert_eq!(fixture.stats().wasted, 7);
    fixture.refill();
    assert_eq!(fixture.ids(3), Some((11, 13)));
}

#[test]
fn the_age_counts_from_the_sending_of_the_request() {
    let mut fixture = fixture();
    let attempt = fixture.want();
    fixture.advance(600);
    told(fixture.answer(&attempt), 0);
    fixture.advance(399);
    assert_eq!(fixture.ids(1), Some((1, 1)));
    fixture.advance(1);
    assert_eq!(fixture.ids(1), None);
}

#[test]
fn an_expired_buffered_segment_is_passed_over() {
    let mut fixture = fixture();
    fixture.refill();
    fixture.refill();
    fixture.advance(500);
    fixture.refill();
    fixture.advance(500);
    assert_eq!(fixture.ids(1), Some((21, 21)));
    assert_eq!(fixture.stats().wasted, 20);
    fixture.advance(500);
    assert_eq!(fixture.ids(1), None);
    let stats = fixture.stats();
    assert_eq!((stats.issued, stats.wasted, stats.remaining), (1, 29, 0));
}

#[test]
fn a_range_that_is_stale_on_arrival_is_a_failure_with_a_delay() {
    let mut fixture = fixture();
    fixture.enlist(HERE, 1).expect("a place");
    for delay in [100, 200] {
        let attempt = fixture.send();
        fixture.advance(1_000);
        told_of(Code::StoreError, fixture.answer(&attempt), 1);
        refused(Code::StoreError, fixture.enlist(HERE, 1));
        fixture.advance(delay - 1);
        refused(Code::StoreError, fixture.enlist(HERE, 1));
        fixture.advance(1);
        fixture.enlist(HERE, 1).expect("a place");
    }
    let stats = fixture.stats();
    assert_eq!((stats.failures, stats.reserved, stats.wasted), (2, 20, 20));
    let attempt = fixture.send();
    told(fixture.answer(&attempt), 1);
    assert_eq!(fixture.ids(1), Some((21, 21)));
}

#[test]
fn a_late_answer_that_is_stale_is_waste_and_no_second_failure() {
    let mut fixture = fixture();
    let attempt = fixture.want();
    told_of(
        Code::RangeUnavailable,
        fixture.finish(&attempt, Err(timed_out())),
        0,
    );
    fixture.advance(1_000);
    told(fixture.answer(&attempt), 0);
    let stats = fixture.stats();
    assert_eq!((stats.failures, stats.wasted), (1, 10));
    assert_eq!(fixture.ids(1), None);
}

#[test]
fn an_idle_generator_does_not_refill_because_of_it() {
    let mut fixture = Fixture::new(&SegmentOptions {
        range_ttl: Some(Duration::from_secs(1)),
        keep: Some(5),
        ..fixed(10)
    });
    fixture.refill();
    for _ in 0..100 {
        fixture.advance(1_000);
        assert_eq!(fixture.next(), Next::Rest);
    }
    assert_eq!(fixture.stats().refills, 1);
}

#[test]
fn without_it_ids_are_held_for_ever() {
    let mut fixture = Fixture::fixed(10);
    fixture.refill();
    fixture.advance(1 << 40);
    assert_eq!(fixture.ids(1), Some((1, 1)));
}

/// An id every two seconds, from segments that expire after one: the most that is reserved.
#[track_caller]
fn check_largest(policy: PolicyName, largest: u64) {
    let mut fixture = Fixture::new(&SegmentOptions {
        policy: Some(policy),
        range_ttl: Some(Duration::from_secs(1)),
        ..SegmentOptions::default()
    });
    let mut sizes = Vec::new();
    for _ in 0..100 {
        if fixture.ids(1).is_none() {
            sizes.push(fixture.refill());
            assert!(fixture.ids(1).is_some());
        }
        fixture.advance(2_000);
    }
    assert_eq!(sizes.iter().max(), Some(&largest), "{policy:?} {sizes:?}");
}

#[test]
fn ids_that_expired_are_not_taken_for_used() {
    // Proportional makes 30 of it, a minute of ids; doubling swings around ten minutes of them.
    check_largest(PolicyName::Proportional, 100);
    check_largest(PolicyName::Doubling, 800);
    check_largest(PolicyName::Lookahead, 100);
}
