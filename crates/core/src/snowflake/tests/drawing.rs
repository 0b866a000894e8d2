//! What one thread draws as the clock moves.

use std::cell::Cell;

use super::*;

/// Checks that `draw` gave `count` ids in a row, `first` being this tick and sequence number.
#[track_caller]
fn gives(layout: &Layout, draw: Draw, (tick, sequence): (u64, u32), count: u32) {
    let first = layout.compose(tick, 5, sequence);
    assert_eq!(draw, Draw::Ids { first, count, tick });
}

#[test]
fn ids_of_a_tick_follow_each_other_until_it_is_full() {
    for unit in [Unit::Ms, Unit::S] {
        let layout = narrow(4, unit);
        let tenure = tenure(layout);
        let tick = layout.tick_at(NOW_MS).expect("after the epoch");
        gives(&layout, tenure.draw(1, || NOW_MS), (tick, 0), 1);
        gives(&layout, tenure.draw(9, || NOW_MS), (tick, 1), 9);
        gives(&layout, tenure.draw(9, || NOW_MS), (tick, 10), 6);
        let until_ms = layout.first_ms(tick + 1);
        assert_eq!(tenure.draw(1, || NOW_MS), Draw::Full { until_ms });
        assert_eq!(tenure.draw(1, || until_ms - 1), Draw::Full { until_ms });
        gives(
            &layout,
            tenure.draw(u32::MAX, || until_ms),
            (tick + 1, 0),
            16,
        );
    }
}

#[test]
fn every_width_of_the_sequence_rolls_over_into_a_later_tick() {
    for bits in 0..=22 {
        let layout = narrow(bits, Unit::Ms);
        let tenure = tenure(layout);
        let tick = layout.tick_at(NOW_MS).expect("after the epoch");
        let (mut last, mut given) = (0, 0);
        while let Draw::Ids { first, count, .. } = tenure.draw(1, || NOW_MS) {
            assert!(count == 1 && first > last);
            (last, given) = (first, given + 1);
        }
        assert_eq!(given, layout.sequences(), "{bits} bits");
        assert_eq!(
            tenure.draw(1, || NOW_MS),
            Draw::Full {
                until_ms: NOW_MS + 1
            }
        );
        gives(&layout, tenure.draw(1, || NOW_MS + 1), (tick + 1, 0), 1);
        assert_eq!(tenure.end(), Some(tick + 1));
    }
}

#[test]
fn a_clock_behind_gives_nothing_and_both_times() {
    let layout = narrow(4, Unit::Ms);
    let tenure = tenure(layout);
    let tick = layout.tick_at(NOW_MS).expect("after the epoch");
    // Before the first tick too.
    let (clock_ms, last_ms) = (NOW_MS - 1, NOW_MS);
    assert_eq!(
        tenure.draw(1, || clock_ms),
        Draw::Behind { clock_ms, last_ms }
    );
    gives(&layout, tenure.draw(1, || NOW_MS), (tick, 0), 1);
    for back in [1, 5, 100, 101, 1_000, 3_600_000] {
        let clock_ms = NOW_MS - back;
        assert_eq!(
            tenure.draw(1, || clock_ms),
            Draw::Behind { clock_ms, last_ms }
        );
    }
    // To before the epoch, after an id was drawn.
    let clock_ms = EPOCH_MS - 1;
    assert_eq!(
        tenure.draw(1, || clock_ms),
        Draw::Behind { clock_ms, last_ms }
    );
    gives(&layout, tenure.draw(20, || NOW_MS), (tick, 1), 15);
    // What has to be reached is the tick last used, though it is full.
    assert_eq!(
        tenure.draw(1, || NOW_MS - 1),
        Draw::Behind {
            clock_ms: NOW_MS - 1,
            last_ms
        }
    );
    gives(&layout, tenure.draw(1, || NOW_MS + 1), (tick + 1, 0), 1);
}

#[test]
fn a_step_back_within_a_tick_goes_on_within_it() {
    let layout = narrow(4, Unit::S);
    let tenure = tenure(layout);
    let tick = layout.tick_at(NOW_MS).expect("after the epoch");
    gives(&layout, tenure.draw(1, || NOW_MS + 900), (tick, 0), 1);
    gives(&layout, tenure.draw(1, || NOW_MS), (tick, 1), 1);
    // Over the border of a tick the distance is that of the clock, not a whole second.
    let clock_ms = NOW_MS - 1;
    assert_eq!(
        tenure.draw(1, || clock_ms),
        Draw::Behind {
            clock_ms,
            last_ms: NOW_MS
        }
    );
}

#[test]
fn no_tick_is_used_that_is_not_wholly_below_the_ceiling() {
    let layout = narrow(4, Unit::S);
    let tick = layout.tick_at(NOW_MS).expect("after the epoch");
    let tenure = Tenure::new(layout, 5, tick, NOW_MS + 998);
    let ceiling_ms = NOW_MS - 1;
    assert_eq!(tenure.draw(1, || NOW_MS), Draw::Ceiling { ceiling_ms });
    tenure.raise_ceiling(NOW_MS + 999);
    gives(&layout, tenure.draw(1, || NOW_MS), (tick, 0), 1);
    let ceiling_ms = NOW_MS + 999;
    assert_eq!(
        tenure.draw(1, || NOW_MS + 1_000),
        Draw::Ceiling { ceiling_ms }
    );
    assert_eq!(tenure.ceiling_ms(), ceiling_ms);
    // A late answer of an earlier renewal lowers nothing.
    tenure.raise_ceiling(NOW_MS - 1);
    gives(&layout, tenure.draw(1, || NOW_MS), (tick, 1), 1);
}

#[test]
fn an_ended_tenure_tells_its_last_tick_once_and_gives_nothing() {
    let layout = narrow(4, Unit::Ms);
    let tick = layout.tick_at(NOW_MS).expect("after the epoch");
    let unused = tenure(layout);
    assert_eq!(unused.end(), None);
    assert!(unused.is_ended());
    let used = tenure(layout);
    assert!(!used.is_ended() && used.starts_at() == NOW_MS);
    gives(&layout, used.draw(16, || NOW_MS), (tick, 0), 16);
    assert_eq!(used.end(), Some(tick));
    assert_eq!(used.end(), None);
    for now_ms in [0, NOW_MS - 1, NOW_MS, NOW_MS + 1, u64::MAX] {
        assert_eq!(used.draw(1, || now_ms), Draw::Ended);
    }
}

#[test]
fn the_last_tick_gives_positive_ids_and_nothing_follows() {
    let layout = default_layout();
    let last_tick = (1 << 41) - 1;
    // 2089-09-06T15:47:35.551Z.
    let end_ms = 3_776_860_055_551;
    let tenure = Tenure::new(layout, 1_023, 0, u64::MAX);
    let Draw::Ids {
        first,
        count: 4_096,
        tick,
    } = tenure.draw(u32::MAX, || end_ms)
    else {
        panic!("the last tick is one like the others");
    };
    assert_eq!((first + 4_095, tick), ((1 << 63) - 1, last_tick));
    assert_eq!(
        tenure.draw(1, || end_ms),
        Draw::Full {
            until_ms: end_ms + 1
        }
    );
    for after in [end_ms + 1, u64::MAX] {
        assert_eq!(tenure.draw(1, || after), Draw::Exhausted);
    }
    assert_eq!(
        tenure.draw(1, || NOW_MS),
        Draw::Behind {
            clock_ms: NOW_MS,
            last_ms: end_ms
        }
    );
    assert_eq!(tenure.end(), Some(last_tick));
}

#[test]
fn a_tenure_that_would_begin_after_the_end_never_gives_anything() {
    let layout = default_layout();
    // As a poisoned ceiling has it.
    let first_tick = layout.first_tick_above(u64::MAX);
    let tenure = Tenure::new(layout, 0, first_tick, u64::MAX);
    for now_ms in [NOW_MS, layout.ends_at(), layout.ends_at() + 1, u64::MAX] {
        let draw = tenure.draw(1, || now_ms);
        assert!(
            matches!(draw, Draw::Behind { .. } | Draw::Exhausted),
            "{draw:?}"
        );
    }
    assert_eq!(tenure.end(), None);
}

#[test]
fn a_clock_before_the_epoch_is_no_time_zero() {
    let tenure = Tenure::new(default_layout(), 0, 0, FAR_MS);
    assert_eq!(tenure.draw(1, || EPOCH_MS - 1), Draw::BeforeEpoch);
    assert!(matches!(
        tenure.draw(1, || EPOCH_MS),
        Draw::Ids { tick: 0, .. }
    ));
}

#[test]
fn the_clock_is_read_once_per_draw() {
    let readings = Cell::new(0);
    let clock = || {
        readings.set(readings.get() + 1);
        NOW_MS
    };
    let tenure = tenure(default_layout());
    tenure.draw(4_096, clock);
    tenure.draw(1, clock);
    assert_eq!(readings.get(), 2);
}
