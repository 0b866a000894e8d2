//! Real threads: many draws at once, under a clock that walks.

use std::sync::Arc;
use std::thread;

use super::*;
use crate::clock::{ManualWallClock, WallClock};

const THREADS: u64 = 4;

/// Draws until `rounds` draws gave something; gives the ids, which grow.
fn draw(tenure: &Tenure, clock: &ManualWallClock, thread: u64, rounds: u64) -> Vec<u64> {
    let mut ids = Vec::new();
    let mut last = None;
    let mut given = 0;
    for turn in 0.. {
        if given == rounds {
            break;
        }
        // Every thread moves the clock: ahead, back, and ahead again.
        match (turn + thread) % 7 {
            0 => clock.step(2),
            3 => clock.step(-1),
            _ => {}
        }
        let n = u32::try_from(turn % 5 + 1).expect("few");
        match tenure.draw(n, || clock.unix_ms()) {
            Draw::Ids { first, count, .. } => {
                assert!(last < Some(first), "{first} after {last:?}");
                last = Some(first + u64::from(count) - 1);
                ids.extend(first..first + u64::from(count));
                given += 1;
            }
            Draw::Full { .. } | Draw::Behind { .. } => clock.step(1),
            other => panic!("{other:?}"),
        }
    }
    ids
}

#[test]
fn threads_that_share_a_tenure_repeat_nothing_while_the_clock_walks() {
    for bits in [0, 2, 4, 12] {
        let layout = narrow(bits, Unit::Ms);
        let tenure = Arc::new(tenure(layout));
        let clock = Arc::new(ManualWallClock::new(NOW_MS));
        let drawers: Vec<_> = (0..THREADS)
            .map(|thread| {
                let (tenure, clock) = (Arc::clone(&tenure), Arc::clone(&clock));
                thread::spawn(move || draw(&tenure, &clock, thread, 50_000))
            })
            .collect();
        let mut ids: Vec<u64> = drawers
            .into_iter()
            .flat_map(|drawer| drawer.join().expect("no panic"))
            .collect();
        ids.sort_unstable();
        assert!(ids.is_sorted_by(|one, next| one < next), "{bits} bits");
        let last = layout.parse(*ids.last().expect("some")).expect("an id");
        let end = tenure.end().expect("some");
        assert_eq!(layout.first_ms(end), last.timestamp_ms);
    }
}
