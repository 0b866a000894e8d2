//! Refills that fail: who is told, when the next attempt begins, what is final.

use super::*;

#[test]
fn a_failure_is_told_to_all_who_waited_and_costs_one_attempt_per_delay() {
    let mut fixture = Fixture::fixed(10);
    for _ in 0..100 {
        fixture.enlist(HERE, 1).expect("a place");
    }
    let attempt = fixture.send();
    told_of(Code::StoreError, fixture.finish(&attempt, Err(away())), 100);
    assert_eq!(fixture.next(), Next::Rest);
    fixture.advance(99);
    for _ in 0..100 {
        refused(Code::StoreError, fixture.enlist(HERE, 1));
    }
    fixture.advance(1);
    assert_eq!(fixture.enlist(HERE, 1).expect("a place"), STARTS_TASK);
    for _ in 1..100 {
        assert_eq!(fixture.enlist(HERE, 1).expect("a place"), JOINS_TASK);
    }
    let attempt = fixture.send();
    told(fixture.answer(&attempt), 100);
    assert_eq!(fixture.stats().failures, 1);
}

/// Lets the attempt that is due fail; how many ms pass until the next one may begin.
fn delay_after_failure(fixture: &Fixture) -> u128 {
    let attempt = fixture.want();
    assert!(fixture.finish(&attempt, Err(away())).outcome.is_err());
    fixture.buffer.want();
    let Next::Wait(at) = fixture.next() else {
        panic!("the next attempt is held back");
    };
    let delay = at - fixture.now();
    fixture.clock.advance(delay);
    delay.as_millis()
}

#[test]
fn the_delay_doubles_up_to_five_seconds_until_a_success() {
    let mut fixture = Fixture::fixed(10);
    let delays: Vec<_> = (0..9).map(|_| delay_after_failure(&fixture)).collect();
    let expected = [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000];
    assert_eq!(delays, expected);
    fixture.refill();
    fixture.draw(10);
    assert_eq!(delay_after_failure(&fixture), 100);
}

#[test]
fn the_delay_stays_at_five_seconds_for_ever() {
    let fixture = Fixture::fixed(10);
    let last = (0..1_000).map(|_| delay_after_failure(&fixture)).last();
    assert_eq!(last, Some(5_000));
}

/// A buffer from which `rate` ids a second were drawn for a while, with `left` ids at hand.
fn drawn_at(rate: u32, left: u64) -> Fixture {
    let mut fixture = Fixture::fixed(10_000);
    fixture.refill();
    // Each report is a sample of the rate.
    for _ in 0..20 {
        fixture.advance(100);
        fixture.draw(rate / 10);
        fixture.buffer.report(0, fixture.now());
    }
    let at_hand = fixture.at_hand();
    fixture.draw(u32::try_from(at_hand - left).expect("a small number"));
    fixture
}

#[test]
fn a_failed_early_refill_is_tried_again_before_the_ids_are_gone() {
    let fixture = drawn_at(1_000, 500);
    let mut attempts = 0;
    fixture.buffer.want();
    while let Next::Reserve(attempt) = fixture.next() {
        attempts += 1;
        let at_hand = u128::from(fixture.at_hand());
        told_of(Code::StoreError, fixture.finish(&attempt, Err(away())), 0);
        let Next::Wait(at) = fixture.next() else {
            panic!("it gave up with ids in memory");
        };
        // One id a millisecond.
        let delay = at - fixture.now();
        assert!(delay.as_millis() <= at_hand, "it outlasts {at_hand} ids");
        fixture.clock.advance(delay);
        fixture.draw(u32::try_from(delay.as_millis()).expect("a short delay"));
        if fixture.at_hand() < 100 {
            break;
        }
    }
    assert!(attempts >= 3, "{attempts}");
}

#[test]
fn a_failed_early_refill_is_told_to_nobody_who_can_draw() {
    let mut fixture = Fixture::fixed(10);
    fixture.refill();
    let attempt = fixture.want();
    told_of(Code::StoreError, fixture.finish(&attempt, Err(away())), 0);
    assert_eq!(fixture.ids(1), Some((1, 1)));
    assert_eq!(fixture.enlist(HERE, 1).expect("ids"), Enlisted::LookAgain);
    assert!(matches!(fixture.next(), Next::Wait(_)));
    fixture.advance(100);
    let attempt = fixture.send();
    told(fixture.answer(&attempt), 0);
    assert_eq!(fixture.ids(100), Some((2, 10)));
    assert_eq!(fixture.ids(100), Some((11, 20)));
}

#[test]
fn without_ids_in_memory_the_next_attempt_begins_when_somebody_asks() {
    let fixture = Fixture::fixed(10);
    let attempt = fixture.want();
    told_of(Code::StoreError, fixture.finish(&attempt, Err(away())), 0);
    fixture.advance(60_000);
    assert_eq!(fixture.next(), Next::Rest);
    assert_eq!(fixture.enlist(HERE, 1).expect("a place"), STARTS_TASK);
    fixture.send();
}

#[test]
fn a_caller_joins_an_attempt_that_is_on_its_way_whatever_failed_before() {
    let mut fixture = Fixture::fixed(10);
    delay_after_failure(&fixture);
    delay_after_failure(&fixture);
    let attempt = fixture.send();
    assert_eq!(fixture.enlist(HERE, 1).expect("a place"), JOINS_TASK);
    told(fixture.answer(&attempt), 1);
}

#[test]
fn a_final_failure_ends_the_refills_and_leaves_ids_in_memory() {
    let errors = [
        sealed(),
        exhausted(10),
        Error::config("max", 5, "more"),
        Error::RangeMissing {
            key: "orders".to_owned(),
            store: "memory:".to_owned(),
        },
        Error::LayoutMismatch {
            key: "orders".to_owned(),
            store: "memory:".to_owned(),
            recorded: "periodic".to_owned(),
            given: "segment".to_owned(),
        },
    ];
    for error in errors {
        let code = error.code();
        let mut fixture = Fixture::fixed(10);
        fixture.refill();
        let attempt = fixture.want();
        told_of(code, fixture.finish(&attempt, Err(error)), 0);
        fixture.advance(60_000);
        assert_eq!(fixture.next(), Next::Rest);
        assert!(!fixture.buffer.want());
        assert_eq!(fixture.ids(100), Some((1, 10)));
        refused(code, fixture.enlist(HERE, 1));
    }
}

/// Lets a counter with `left` ids answer until it is exhausted; the sizes asked for.
fn sizes_until_exhausted(options: &SegmentOptions, left: u64) -> Vec<u64> {
    let mut fixture = Fixture::new(options);
    let mut sizes = Vec::new();
    fixture.enlist(HERE, 1).expect("a place");
    loop {
        let attempt = fixture.send();
        sizes.push(attempt.size);
        let room = left - fixture.granted;
        if attempt.size <= room {
            let woken = fixture.answer(&attempt);
            assert!(woken.outcome.is_ok());
            while fixture.draw(u32::MAX).range.is_some() {}
            fixture.enlist(HERE, 1).expect("a place");
        } else {
            let woken = fixture.finish(&attempt, Err(exhausted(attempt.size)));
            if woken.outcome.is_err() {
                assert_eq!(woken.waiters.len(), 1);
                refused(Code::RangeExhausted, fixture.enlist(HERE, 1));
                return sizes;
            }
            assert!(woken.waiters.is_empty(), "it is not over yet");
        }
    }
}

#[test]
fn the_end_of_a_counter_is_served_in_smaller_pieces_down_to_one_step() {
    let proportional = SegmentOptions {
        policy: Some(PolicyName::Proportional),
        ..SegmentOptions::default()
    };
    assert_eq!(
        sizes_until_exhausted(&proportional, 40),
        [100, 50, 25, 25, 12, 12, 6, 3, 3, 1]
    );
    assert_eq!(sizes_until_exhausted(&fixed(10), 25), [10, 10, 10]);
    assert_eq!(sizes_until_exhausted(&fixed(1), 2), [1, 1, 1]);
}

#[test]
fn an_exhausted_counter_is_one_failure() {
    let fixture = Fixture::new(&SegmentOptions {
        step: Some(25),
        ..SegmentOptions::default()
    });
    fixture.enlist(HERE, 100).expect("a place");
    for (size, is_last) in [(100, false), (50, false), (25, true)] {
        let attempt = fixture.send();
        assert_eq!(attempt.size, size);
        let woken = fixture.finish(&attempt, Err(exhausted(size)));
        assert_eq!(woken.outcome.is_err(), is_last);
        assert_eq!(fixture.stats().failures, u64::from(is_last));
    }
    assert_eq!(fixture.next(), Next::Rest);
}
