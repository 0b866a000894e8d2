//! Segments: how ids are drawn from what a store granted, and when more is asked for.
//!
//! [`SegmentBuffer`] is the whole of it: a cursor per segment on the fast path, and behind one
//! lock everything that happens once per segment or less. It knows no store and no runtime: the
//! engine carries its [`Attempt`]s to the store and brings the answers back.
//!
//! **Invariant:** an id is drawn at most once, because it belongs to one segment, a segment to one
//! cursor, and a cursor never serves another segment.

mod buffer;
mod buffered;
mod cold;
mod cursor;
#[cfg(all(test, loom))]
mod loom_buffer;
mod meter;
mod recent;
mod refill;
#[cfg(all(test, not(loom)))]
mod tests;

use std::sync::Arc;

pub use buffer::{Drawn, DrawnOne, SegmentBuffer};
pub use buffered::MOST_BUFFERED;
pub use refill::{Attempt, Enlisted, Need, Next, Waiter, Woken};

use crate::clock::{Clock, Moment};
use crate::range::Range;
use cursor::Cursor;

/// What a generator has done so far.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Stats {
    /// Ids handed out.
    pub issued: u64,
    /// Ids granted by the store.
    pub reserved: u64,
    /// Ids granted and lost: dropped segments, cancelled batches, blocks of dead realms.
    pub wasted: u64,
    /// Reservations that were granted.
    pub refills: u64,
    /// Reservations that failed.
    pub failures: u64,
    /// Callers that found no id in memory and waited.
    pub waits: u64,
    /// How many ids the next reservation would ask for.
    pub step: u64,
    /// Ids in memory.
    pub remaining: u64,
    /// Ids handed out per second, lately.
    pub rate: f64,
}

/// A granted range that waits for its turn.
#[derive(Debug, Clone, Copy)]
struct Grant {
    range: Range,
    /// When it is too old to be used.
    expires: Option<Moment>,
}

impl Grant {
    fn is_expired(&self, now: Moment) -> bool {
        self.expires.is_some_and(|expires| expires <= now)
    }
}

/// A segment that is, or was, current.
#[derive(Debug)]
struct Segment {
    range: Range,
    cursor: Cursor,
    /// The id whose draw starts the next refill; `range.end` for none. Fixed when the segment
    /// becomes current.
    mark: u64,
    expires: Option<Moment>,
}

impl Segment {
    fn new(grant: Grant, level: u64) -> Self {
        let Grant { range, expires } = grant;
        Self {
            range,
            cursor: Cursor::new(range),
            mark: range.end - level.min(range.len()),
            expires,
        }
    }

    /// What a generator holds before its first refill.
    fn none() -> Arc<Self> {
        let range = Range { start: 0, end: 0 };
        let expires = None;
        Arc::new(Self::new(Grant { range, expires }, 0))
    }

    /// Whether drawing `range` starts a refill.
    fn is_mark_in(&self, range: Range) -> bool {
        range.contains(self.mark)
    }

    /// A clock is looked at only for a segment that can expire.
    fn is_expired(&self, clock: &dyn Clock) -> bool {
        self.expires.is_some_and(|expires| expires <= clock.now())
    }
}
