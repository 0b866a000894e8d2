//! Whole histories of a key, with stores that go back in between.

use proptest::prelude::*;

use super::*;

/// One step of a history: what a process with its own floor asks, or a store that goes back.
#[derive(Debug, Clone)]
enum Step {
    Reserve {
        process: usize,
        size: u64,
        initial_offset: u64,
    },
    GoBack {
        by: u64,
    },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let reserve = (0..3usize, 1..500u64, 1..3000u64).prop_map(|(process, size, initial_offset)| {
        Step::Reserve {
            process,
            size,
            initial_offset,
        }
    });
    let go_back = (1..2000u64).prop_map(|by| Step::GoBack { by });
    prop::collection::vec(prop_oneof![6 => reserve, 1 => go_back], 1..60)
}

proptest! {
    /// Reservations of several processes, in any order, grant disjoint and growing ranges.
    #[test]
    fn any_interleaving_of_reservations_grants_disjoint_growing_ranges(steps in steps()) {
        let mut remembered = Remembered::default();
        let mut highest = 0;
        for step in steps {
            let Step::Reserve { size, initial_offset, .. } = step else { continue };
            let granted = judge(&remembered, &Reserve { size, initial_offset, ..request() })
                .expect("far below every limit");
            prop_assert!(granted.range.start > highest);
            prop_assert!(granted.range.start >= initial_offset);
            prop_assert_eq!(granted.range.len(), size);
            highest = granted.range.last();
            remembered = standing_at(highest);
        }
    }

    /// A process never gets an id at or below one that it has seen, however often the store goes
    /// back, and is told of each repair.
    #[test]
    fn a_process_never_gets_an_id_that_it_has_seen(steps in steps()) {
        let mut remembered = Remembered::default();
        let mut floors = [None; 3];
        for step in steps {
            match step {
                Step::GoBack { by } => {
                    remembered.value = remembered.value.map(|value| value.saturating_sub(by));
                }
                Step::Reserve { process, size, initial_offset } => {
                    let floor: Option<u64> = floors[process];
                    let before = remembered.value;
                    let granted = judge(&remembered, &Reserve {
                        size,
                        initial_offset,
                        floor,
                        raise_to: floor.map(|floor| floor + 1000),
                        ..request()
                    })
                    .expect("far below every limit");
                    let went_back = floor.is_some_and(|floor| before.is_none_or(|it| it < floor));
                    prop_assert_eq!(granted.raised.is_some(), went_back);
                    prop_assert!(floor.is_none_or(|floor| granted.range.start > floor));
                    floors[process] = Some(granted.range.last());
                    remembered = standing_at(granted.range.last());
                }
            }
        }
    }
}
