//! Layouts and tenures seen from outside, one file per behaviour; time is moved by hand.
//!
//! How threads may meet in a tenure is modelled in `loom_tenure.rs`.

mod drawing;
mod hand_over;
mod layouts;
mod reading;
mod threads;
mod walk;

use proptest::prelude::*;

use super::*;
use crate::error::{Code, Result};

/// 2025-10-09, when all layouts of these tests are made.
const NOW_MS: u64 = 1_760_000_000_000;
/// 2020-01-01.
const EPOCH_MS: u64 = 1_577_836_800_000;

fn layout(options: &LayoutOptions) -> Result<Layout> {
    Layout::new(options, NOW_MS)
}

/// The bits, from high to low.
fn of_bits(timestamp: u64, machine: u64, sequence: u64) -> LayoutOptions {
    LayoutOptions {
        timestamp_bits: Some(timestamp),
        machine_bits: Some(machine),
        sequence_bits: Some(sequence),
        ..LayoutOptions::default()
    }
}

fn default_layout() -> Layout {
    layout(&LayoutOptions::default()).expect("the defaults are valid")
}

/// Ids of a few bits; a tick lasts `unit`.
fn narrow(sequence_bits: u64, unit: Unit) -> Layout {
    let options = LayoutOptions {
        unit: Some(unit),
        ..of_bits(38, 3, sequence_bits)
    };
    layout(&options).expect("a valid layout")
}

/// What stands far above every time of these tests.
const FAR_MS: u64 = NOW_MS * 2;

/// A tenure of machine 5 that begins with the tick of `NOW_MS` and need not be renewed.
fn tenure(layout: Layout) -> Tenure {
    let first = layout.tick_at(NOW_MS).expect("after the epoch");
    Tenure::new(layout, 5, first, FAR_MS)
}

/// Any layout that can be made at `NOW_MS`.
fn layouts() -> impl Strategy<Value = Layout> {
    let parts = (31_u64..=48, 0_u64..=16, 0_u64..=22, prop::bool::ANY);
    (parts, 100_000_000_000..=NOW_MS).prop_filter_map("a valid layout", |(parts, epoch)| {
        let (timestamp, machine, sequence, is_ms) = parts;
        let options = LayoutOptions {
            unit: Some(if is_ms { Unit::Ms } else { Unit::S }),
            epoch: Some(epoch),
            ..of_bits(timestamp, machine, sequence)
        };
        layout(&options).ok()
    })
}
