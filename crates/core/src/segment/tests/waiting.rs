//! Callers that found nothing in memory.

use super::*;

#[test]
fn callers_of_a_cold_start_share_one_refill_and_are_all_woken_by_it() {
    let mut fixture = Fixture::fixed(100);
    assert_eq!(fixture.draw(1).range, None);
    assert_eq!(fixture.enlist(HERE, 1).expect("a place"), STARTS_TASK);
    for _ in 1..50 {
        assert_eq!(fixture.enlist(HERE, 1).expect("a place"), JOINS_TASK);
    }
    let attempt = fixture.send();
    for _ in 50..100 {
        assert_eq!(fixture.enlist(HERE, 1).expect("a place"), JOINS_TASK);
    }
    told(fixture.answer(&attempt), 100);
    let mut ids = (1..=100).map(|id| (id, id));
    assert!(std::iter::from_fn(|| fixture.ids(1)).eq(ids.by_ref()));
}

#[test]
fn a_caller_looks_again_if_ids_came_before_it_could_register() {
    let mut fixture = Fixture::fixed(10);
    assert_eq!(fixture.draw(1).range, None);
    fixture.refill();
    assert_eq!(fixture.enlist(HERE, 1).expect("ids"), Enlisted::LookAgain);
    assert!(fixture.draw(1).range.is_some());
}

#[test]
fn a_caller_that_needs_many_waits_until_they_are_there() {
    let mut fixture = Fixture::fixed(10);
    fixture.refill();
    let enlist = |fixture: &Fixture, at_hand| {
        let need = Need {
            at_hand,
            missing: at_hand,
        };
        fixture.buffer.enlist(HERE, need, fixture.now())
    };
    assert_eq!(enlist(&fixture, 10).expect("ids"), Enlisted::LookAgain);
    assert_eq!(enlist(&fixture, 11).expect("a place"), JOINS_TASK);
    let attempt = fixture.send();
    told(fixture.answer(&attempt), 1);
    assert_eq!(enlist(&fixture, 11).expect("ids"), Enlisted::LookAgain);
    assert_eq!(enlist(&fixture, 20).expect("ids"), Enlisted::LookAgain);
}

#[test]
fn a_task_that_came_to_rest_is_started_again_by_whoever_asks_next() {
    let mut fixture = Fixture::fixed(10);
    assert_eq!(fixture.next(), Next::Rest);
    assert!(fixture.buffer.want());
    assert!(!fixture.buffer.want());
    let attempt = fixture.send();
    assert!(!fixture.buffer.want());
    told(fixture.answer(&attempt), 0);
    assert_eq!(fixture.next(), Next::Rest);
    assert!(fixture.buffer.want());
}

#[test]
fn a_mark_crossed_during_a_refill_is_judged_by_what_the_refill_brings() {
    let mut fixture = Fixture::fixed(10);
    fixture.refill();
    let attempt = fixture.want();
    assert!(fixture.draw(6).wants_refill);
    fixture.buffer.want();
    told(fixture.answer(&attempt), 0);
    assert_eq!(fixture.next(), Next::Rest, "a segment waits already");
}

/// The size asked for while callers wait for `missing` ids each.
#[track_caller]
fn check_size(options: &SegmentOptions, missing: &[u64], size: u64) {
    let fixture = Fixture::new(options);
    for &ids in missing {
        fixture.enlist(HERE, ids).expect("a place");
    }
    assert_eq!(fixture.send().size, size, "{missing:?}");
}

#[test]
fn a_reservation_is_large_enough_for_those_who_wait() {
    let lookahead = SegmentOptions::default();
    check_size(&lookahead, &[1; 100], 100);
    check_size(&lookahead, &[1; 101], 200);
    check_size(&lookahead, &[250, 250, 1], 600);
    check_size(&lookahead, &[1_000_000, 1_000_000], 1_048_500);
    check_size(&lookahead, &[u64::MAX, u64::MAX], 1_048_500);
    check_size(&fixed(10), &[1; 1_000], 10);
    let proportional = SegmentOptions {
        policy: Some(PolicyName::Proportional),
        ..SegmentOptions::default()
    };
    check_size(&proportional, &[1; 99], 100);
    check_size(&proportional, &[123_456], 123_456);
    check_size(&proportional, &[u64::MAX], 1_000_000);
}

#[test]
fn nothing_is_reserved_for_callers_that_have_gone_away() {
    let fixture = Fixture::new(&SegmentOptions::default());
    fixture.enlist(GONE, 5_000).expect("a place");
    fixture.enlist(HERE, 150).expect("a place");
    assert_eq!(fixture.send().size, 200);
}

#[test]
fn callers_that_have_gone_away_do_not_pile_up() {
    let mut fixture = Fixture::fixed(10);
    fixture.enlist(HERE, 1).expect("a place");
    for _ in 0..100_000 {
        fixture.enlist(GONE, 1).expect("a place");
    }
    let attempt = fixture.send();
    let woken = fixture.answer(&attempt);
    assert!(woken.waiters.len() < 100, "{}", woken.waiters.len());
    assert!(woken.waiters.iter().any(|caller| !caller.is_gone));
}

#[test]
fn waits_are_counted_as_they_are_told() {
    let fixture = Fixture::fixed(10);
    fixture.buffer.count_waits(3);
    fixture.buffer.count_waits(4);
    assert_eq!(fixture.stats().waits, 7);
}
