//! Answers to attempts that were given up.

use super::*;

/// An attempt that was given up while a caller waited for it.
fn given_up(fixture: &Fixture) -> Attempt {
    fixture.enlist(HERE, 1).expect("a place");
    let attempt = fixture.send();
    told_of(
        Code::RangeUnavailable,
        fixture.finish(&attempt, Err(timed_out())),
        1,
    );
    fixture.advance(100);
    attempt
}

#[test]
fn a_late_answer_above_the_newest_segment_is_used() {
    let mut fixture = Fixture::fixed(10);
    let late = given_up(&fixture);
    fixture.enlist(HERE, 1).expect("a place");
    let attempt = fixture.send();
    let (first, second) = (fixture.grant(&late), fixture.grant(&attempt));
    told(fixture.finish(&late, Ok(first)), 1);
    told(fixture.finish(&attempt, Ok(second)), 0);
    assert_eq!(fixture.ids(100), Some((1, 10)));
    assert_eq!(fixture.ids(100), Some((11, 20)));
    assert_eq!(fixture.stats().wasted, 0);
}

#[test]
fn a_late_answer_below_the_newest_segment_is_dropped_as_waste() {
    let mut fixture = Fixture::fixed(10);
    let late = given_up(&fixture);
    let attempt = fixture.want();
    let (first, second) = (fixture.grant(&late), fixture.grant(&attempt));
    told(fixture.finish(&attempt, Ok(second)), 0);
    told(fixture.finish(&late, Ok(first)), 0);
    assert_eq!(fixture.ids(100), Some((11, 20)));
    assert_eq!(fixture.ids(100), None);
    let stats = fixture.stats();
    assert_eq!((stats.reserved, stats.wasted), (20, 10));
}

#[test]
fn a_late_failure_is_not_told_to_those_who_wait_for_another_attempt() {
    let mut fixture = Fixture::fixed(10);
    let late = given_up(&fixture);
    fixture.enlist(HERE, 1).expect("a place");
    let attempt = fixture.send();
    assert!(attempt.number > late.number);
    told(fixture.finish(&late, Err(away())), 0);
    told(fixture.finish(&late, Err(sealed())), 0);
    assert_eq!(fixture.stats().failures, 1);
    told(fixture.answer(&attempt), 1);
    assert_eq!(fixture.ids(1), Some((1, 1)));
}

#[test]
fn a_late_answer_does_not_end_the_attempt_that_followed() {
    let mut fixture = Fixture::fixed(10);
    let late = given_up(&fixture);
    let attempt = fixture.want();
    told(fixture.answer(&late), 0);
    fixture.draw(100);
    fixture.enlist(HERE, 1).expect("a place");
    told_of(Code::StoreError, fixture.finish(&attempt, Err(away())), 1);
}

#[test]
fn what_comes_beyond_the_most_that_may_be_buffered_is_waste() {
    let mut fixture = Fixture::fixed(1);
    let most = u64::try_from(MOST_BUFFERED).expect("a small number");
    // One becomes current, the most are buffered.
    for _ in 0..=most {
        fixture.refill();
    }
    assert_eq!(fixture.stats().wasted, 0);
    for _ in 0..3 {
        fixture.refill();
    }
    let stats = fixture.stats();
    assert_eq!((stats.wasted, stats.remaining), (3, most + 1));
    let ids: Vec<_> = std::iter::from_fn(|| fixture.ids(1)).collect();
    assert_eq!(ids.last(), Some(&(most + 1, most + 1)));
}
