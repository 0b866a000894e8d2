//! What a draw gives, and when it calls for a refill.

use super::*;
use crate::range::MAX_ID;

/// Draws `sizes` one after the other from one segment and compares first and last ids.
#[track_caller]
fn check_draws(segment: Range, sizes: &[u32], expected: &[Option<(u64, u64)>]) {
    let fixture = Fixture::fixed(segment.len());
    told(fixture.finish(&fixture.want(), Ok(segment)), 0);
    let drawn: Vec<_> = sizes.iter().map(|n| fixture.ids(*n)).collect();
    assert_eq!(drawn, expected, "{segment}");
}

#[test]
fn draws_are_clipped_to_the_segment() {
    let ten = Range { start: 1, end: 11 };
    check_draws(ten, &[1, 1, 3], &[Some((1, 1)), Some((2, 2)), Some((3, 5))]);
    check_draws(ten, &[10, 1], &[Some((1, 10)), None]);
    check_draws(ten, &[11, 1], &[Some((1, 10)), None]);
    check_draws(ten, &[7, 7, 7], &[Some((1, 7)), Some((8, 10)), None]);
    check_draws(ten, &[u32::MAX, u32::MAX], &[Some((1, 10)), None]);
}

#[test]
fn draws_at_the_highest_id_neither_wrap_nor_pass_it() {
    let last = Range {
        start: MAX_ID,
        end: MAX_ID + 1,
    };
    check_draws(last, &[u32::MAX, 1], &[Some((MAX_ID, MAX_ID)), None]);
    let start = MAX_ID - (1 << 33);
    let fixture = Fixture::fixed(1 << 33);
    let segment = Range {
        start,
        end: MAX_ID + 1,
    };
    told(fixture.finish(&fixture.want(), Ok(segment)), 0);
    let mut next = start;
    while let Some(range) = fixture.draw(u32::MAX).range {
        assert_eq!(range.start, next);
        next = range.end;
    }
    assert_eq!(next, MAX_ID + 1);
    for _ in 0..1_000 {
        assert_eq!(fixture.ids(u32::MAX), None);
    }
}

#[test]
fn a_batch_of_more_than_a_segment_comes_in_runs_that_never_cross_one() {
    let mut fixture = Fixture::fixed(4);
    for _ in 0..3 {
        fixture.refill();
    }
    let runs: Vec<_> = std::iter::from_fn(|| fixture.ids(10)).collect();
    assert_eq!(runs, [(1, 4), (5, 8), (9, 12)]);
}

#[test]
fn segments_are_used_in_the_order_in_which_they_were_granted() {
    let fixture = Fixture::fixed(1);
    for id in [7, 20, 21, 400] {
        let range = Range {
            start: id,
            end: id + 1,
        };
        told(fixture.finish(&fixture.want(), Ok(range)), 0);
    }
    let ids: Vec<_> = std::iter::from_fn(|| fixture.ids(1)).collect();
    assert_eq!(ids, [(7, 7), (20, 20), (21, 21), (400, 400)]);
}

/// Draws single ids from a first segment and compares which of them call for a refill.
#[track_caller]
fn check_calls(options: &SegmentOptions, expected: &[u64]) {
    let mut fixture = Fixture::new(options);
    let size = fixture.refill();
    let calls: Vec<_> = (1..=size)
        .filter(|_| fixture.draw(1).wants_refill)
        .collect();
    assert_eq!(calls, expected, "{options:?}");
    let nothing = fixture.draw(1);
    assert_eq!((nothing.range, nothing.wants_refill), (None, false));
}

#[test]
fn the_draw_of_the_mark_calls_for_a_refill_once() {
    check_calls(&fixed(10), &[6]);
    check_calls(&fixed(1), &[1]);
    check_calls(&fixed(3), &[2]);
}

#[test]
fn with_fewer_ids_at_hand_than_keep_every_draw_calls_for_a_refill() {
    let keep = |keep| SegmentOptions {
        keep: Some(keep),
        ..fixed(10)
    };
    // At half the policy calls for one as well.
    check_calls(&keep(3), &[6, 8, 9, 10]);
    check_calls(&keep(8), &[3, 4, 5, 6, 7, 8, 9, 10]);
    check_calls(&keep(10), &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
}

#[test]
fn the_mark_follows_the_policy() {
    let named = |policy| SegmentOptions {
        policy: Some(policy),
        ..SegmentOptions::default()
    };
    check_calls(&named(PolicyName::Proportional), &[1]);
    check_calls(&named(PolicyName::Doubling), &[51]);
    // Nothing is measured yet, so nothing is reserved ahead.
    check_calls(&named(PolicyName::Lookahead), &[]);
    let none_ahead = SegmentOptions {
        lookahead: Some(Duration::ZERO),
        ..SegmentOptions::default()
    };
    check_calls(&none_ahead, &[]);
}

#[test]
fn a_draw_of_many_calls_for_a_refill_if_the_mark_is_among_them() {
    for (sizes, expected) in [
        (vec![5, 5], vec![false, true]),
        (vec![6, 4], vec![true, false]),
        (vec![10], vec![true]),
        (vec![3, 6, 1], vec![false, true, false]),
    ] {
        let mut fixture = Fixture::fixed(10);
        fixture.refill();
        let calls: Vec<_> = sizes
            .iter()
            .map(|n| fixture.draw(*n).wants_refill)
            .collect();
        assert_eq!(calls, expected, "{sizes:?}");
    }
}

#[track_caller]
fn check_block(segment: u64, room: u32, len: u64) {
    let mut fixture = Fixture::fixed(segment);
    fixture.refill();
    let drawn = fixture.buffer.draw_block(room, 0, &fixture.clock);
    assert_eq!(drawn.range.expect("some ids").len(), len, "{segment}");
}

#[test]
fn a_block_is_at_most_a_quarter_of_a_segment_and_at_least_one_id() {
    check_block(100, 1_024, 25);
    check_block(100, 16, 16);
    check_block(4_096, 1_024, 1_024);
    check_block(7, 1_024, 1);
    check_block(1, 1_024, 1);
    check_block(1 << 40, u32::MAX, u64::from(u32::MAX));
}

#[test]
fn the_last_block_of_a_segment_is_what_is_left() {
    let mut fixture = Fixture::fixed(10);
    fixture.refill();
    let block = |fixture: &Fixture| {
        let drawn = fixture.buffer.draw_block(1_024, 0, &fixture.clock);
        drawn.range.map(|range| (range.start, range.last()))
    };
    assert_eq!(fixture.ids(9), Some((1, 9)));
    assert_eq!(block(&fixture), Some((10, 10)));
    assert_eq!(block(&fixture), None);
}

#[test]
fn a_thread_that_alternates_between_generators_mixes_none_of_their_ids() {
    // More than a thread remembers, so that they push each other out.
    let mut fixtures: Vec<_> = (0..9).map(|_| Fixture::fixed(50)).collect();
    for round in 1..=120 {
        for fixture in &mut fixtures {
            let id = match fixture.buffer.draw_one(&fixture.clock).id {
                Some(id) => Some(id),
                None => {
                    fixture.refill();
                    fixture.buffer.draw_one(&fixture.clock).id
                }
            };
            assert_eq!(id, Some(round));
        }
    }
}

#[test]
fn a_segment_that_a_thread_remembers_is_ended_with_all_others() {
    for end in [
        |fixture: &Fixture| fixture.buffer.drop_all(),
        |fixture: &Fixture| drop(fixture.buffer.close(closed())),
    ] {
        let mut fixture = Fixture::fixed(50);
        fixture.refill();
        assert_eq!(fixture.buffer.draw_one(&fixture.clock).id, Some(1));
        assert_eq!(fixture.buffer.draw_one(&fixture.clock).id, Some(2));
        end(&fixture);
        assert_eq!(fixture.buffer.draw_one(&fixture.clock).id, None);
    }
}

#[test]
fn single_draws_call_for_a_refill_at_the_mark_and_nowhere_else() {
    let mut fixture = Fixture::fixed(10);
    fixture.refill();
    let wants: Vec<_> = (0..11)
        .map(|_| fixture.buffer.draw_one(&fixture.clock).wants_refill)
        .collect();
    let mut expected = [false; 11];
    expected[5] = true;
    assert_eq!(wants, expected);
}

#[test]
fn at_the_highest_rates_no_more_is_reserved_than_will_be_used() {
    let mut fixture = Fixture::new(&SegmentOptions::default());
    for _ in 0..20_000 {
        if fixture.draw(u32::MAX).wants_refill || fixture.at_hand() == 0 {
            fixture.refill();
        }
        fixture.clock.advance(Duration::from_micros(20));
    }
    let stats = fixture.stats();
    assert_eq!(stats.wasted, 0);
    assert!(stats.remaining <= 3 << 20, "{stats:?}");
}
