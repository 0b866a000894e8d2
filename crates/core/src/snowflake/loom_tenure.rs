//! Models of a tenure: loom runs every order in which the threads can meet.
//!
//! Run with `npm test -- loom`.

use std::sync::Arc;

use loom::sync::atomic::{AtomicU64, Ordering};
use loom::thread;

use super::*;

/// When the models begin, in Unix ms.
const NOW_MS: u64 = 1_760_000_000_000;

/// Two ids a tick.
fn layout() -> Layout {
    let options = LayoutOptions {
        sequence_bits: Some(1),
        ..LayoutOptions::default()
    };
    Layout::new(&options, NOW_MS).expect("valid")
}

fn tick(ms: u64) -> u64 {
    layout().tick_at(NOW_MS + ms).expect("after the epoch")
}

fn tenure(ms: u64) -> Tenure {
    Tenure::new(layout(), 7, tick(ms), NOW_MS * 2)
}

/// The ids of a draw, if it gave any.
fn ids(draw: Draw) -> Vec<u64> {
    match draw {
        Draw::Ids { first, count, .. } => (first..first + u64::from(count)).collect(),
        _ => Vec::new(),
    }
}

/// Sorted, so that a repeated id shows.
fn assert_unique(mut drawn: Vec<u64>) {
    drawn.sort_unstable();
    assert!(drawn.is_sorted_by(|one, next| one < next), "{drawn:?}");
}

#[test]
fn loom_draws_over_a_roll_over_and_a_step_back_repeat_nothing() {
    loom::model(|| {
        let tenure = Arc::new(tenure(0));
        // Each thread has another view of the clock: one is at the tick that the others have
        // left, as after a step back.
        let drawers: Vec<_> = [(0, 1), (1, 0)]
            .into_iter()
            .map(|(first, second)| {
                let tenure = Arc::clone(&tenure);
                thread::spawn(move || {
                    let mut drawn = ids(tenure.draw(1, || NOW_MS + first));
                    let later = ids(tenure.draw(2, || NOW_MS + second));
                    // Of one thread they grow too.
                    assert!(drawn.last() < later.first() || later.is_empty());
                    drawn.extend(later);
                    drawn
                })
            })
            .collect();
        let mut drawn = ids(tenure.draw(2, || NOW_MS));
        for drawer in drawers {
            drawn.extend(drawer.join().expect("no panic"));
        }
        assert_unique(drawn);
    });
}

#[test]
fn loom_a_clock_that_only_goes_ahead_is_never_seen_behind() {
    loom::model(|| {
        let tenure = Arc::new(tenure(0));
        let clock = Arc::new(AtomicU64::new(NOW_MS));
        // A reading that an id was made of is behind every reading that follows the word: that
        // is what Release and Acquire are for, and why the word is loaded first.
        let drawer = |tenure: Arc<Tenure>, clock: Arc<AtomicU64>| {
            move || {
                clock.fetch_add(1, Ordering::Relaxed);
                let draw = tenure.draw(1, || clock.load(Ordering::Relaxed));
                assert!(!matches!(draw, Draw::Behind { .. }), "{draw:?}");
                ids(draw)
            }
        };
        let others: Vec<_> = (0..2)
            .map(|_| thread::spawn(drawer(Arc::clone(&tenure), Arc::clone(&clock))))
            .collect();
        let mut drawn = drawer(Arc::clone(&tenure), clock)();
        for other in others {
            drawn.extend(other.join().expect("no panic"));
        }
        assert_unique(drawn);
    });
}

#[test]
fn loom_a_draw_comes_wholly_before_the_end_or_fails() {
    loom::model(|| {
        let tenure = Arc::new(tenure(0));
        let drawers: Vec<_> = [0, 1]
            .into_iter()
            .map(|ms| {
                let tenure = Arc::clone(&tenure);
                thread::spawn(move || {
                    let drawn = tenure.draw(2, || NOW_MS + ms);
                    match drawn {
                        Draw::Ids { tick, .. } => Some(tick),
                        Draw::Ended | Draw::Behind { .. } => None,
                        other => unreachable!("{other:?}"),
                    }
                })
            })
            .collect();
        let last = tenure.end();
        let highest = drawers
            .into_iter()
            .filter_map(|drawer| drawer.join().expect("no panic"))
            .max();
        // Whatever was drawn was counted.
        assert_eq!(last, highest);
        assert_eq!(tenure.draw(1, || NOW_MS + 5), Draw::Ended);
    });
}

#[test]
fn loom_a_number_claimed_again_never_repeats_what_its_old_tenure_drew() {
    loom::model(|| {
        let former = Arc::new(tenure(0));
        let drawer = {
            let former = Arc::clone(&former);
            thread::spawn(move || {
                let mut drawn = ids(former.draw(1, || NOW_MS));
                drawn.extend(ids(former.draw(1, || NOW_MS + 1)));
                drawn
            })
        };
        // Lost, and the same number is claimed within the same ms: above the last tick drawn.
        let first_tick = former.end().map_or(tick(0), |last| last + 1);
        let next = Arc::new(Tenure::new(layout(), 7, first_tick, NOW_MS * 2));
        let other = {
            let next = Arc::clone(&next);
            thread::spawn(move || ids(next.draw(2, || NOW_MS + 1)))
        };
        let mut drawn = ids(next.draw(1, || NOW_MS));
        drawn.extend(other.join().expect("no panic"));
        drawn.extend(drawer.join().expect("no panic"));
        assert_unique(drawn);
    });
}

#[test]
fn loom_a_ceiling_that_is_raised_lets_no_tick_above_it_through() {
    loom::model(|| {
        let tenure = Arc::new(Tenure::new(layout(), 7, tick(0), NOW_MS));
        let renewal = {
            let tenure = Arc::clone(&tenure);
            thread::spawn(move || tenure.raise_ceiling(NOW_MS + 1))
        };
        let early = tenure.draw(1, || NOW_MS + 1);
        let above = tenure.draw(1, || NOW_MS + 2);
        renewal.join().expect("no panic");
        assert!(matches!(early, Draw::Ids { .. } | Draw::Ceiling { .. }));
        assert!(matches!(above, Draw::Ceiling { .. }));
        assert!(matches!(
            tenure.draw(1, || NOW_MS + 1),
            Draw::Ids { tick: drawn, .. } if drawn == tick(1)
        ));
    });
}
