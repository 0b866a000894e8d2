//! The position within one segment.

use crate::range::Range;
use crate::sync::{AtomicU64, Ordering};

/// Serves each id of one range at most once, to any number of threads.
#[derive(Debug)]
pub(super) struct Cursor {
    /// The next id; at or past `end` when there is none. Overshoots `end` by at most one clipped
    /// draw per thread, so it cannot wrap: draws are clipped to 2^32 ids and `end` to 2^63.
    next: AtomicU64,
    /// One past the last id.
    end: u64,
    /// The size of the range: no draw moves the cursor further.
    len: u64,
}

impl Cursor {
    pub(super) fn new(range: Range) -> Self {
        Self {
            next: AtomicU64::new(range.start),
            end: range.end,
            len: range.len(),
        }
    }

    /// Up to `n` ids in one run; `None` if there are none left.
    pub(super) fn draw(&self, n: u32) -> Option<Range> {
        // Relaxed, here and below: the cursor publishes nothing but itself, and one atomic has one
        // order of changes. The range was published with the pointer to the segment.
        // This load keeps draws that fail from moving the cursor again and again.
        if self.next.load(Ordering::Relaxed) >= self.end {
            return None;
        }
        let step = u64::from(n).min(self.len);
        let start = self.next.fetch_add(step, Ordering::Relaxed);
        (start < self.end).then(|| Range {
            start,
            end: (start + step).min(self.end),
        })
    }

    /// One id; `None` if there are none left. As `draw`, without the sums that clip a run.
    #[inline]
    pub(super) fn draw_one(&self) -> Option<u64> {
        if self.next.load(Ordering::Relaxed) >= self.end {
            return None;
        }
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        (id < self.end).then_some(id)
    }

    /// How many ids are left.
    pub(super) fn left(&self) -> u64 {
        // Relaxed: a figure that is old as soon as it is read.
        self.end.saturating_sub(self.next.load(Ordering::Relaxed))
    }

    /// Ends the segment; returns how many ids nobody will draw any more.
    pub(super) fn exhaust(&self) -> u64 {
        // Relaxed: as in `draw`. A draw comes wholly before or wholly after this.
        let next = self.next.fetch_max(self.end, Ordering::Relaxed);
        self.end.saturating_sub(next)
    }
}
