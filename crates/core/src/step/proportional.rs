//! Sizes a segment to last for a set time at the pace of the last one; the buffer is refilled as
//! soon as it is taken.

use std::time::Duration;

use super::{Measured, count};

/// `used × preload / elapsed`.
///
/// `used` is the size of the segment that was used up during `elapsed`. With the *newest* size in
/// its place the size swings between its bounds at a steady load, because the newest segment is
/// the one in the buffer, which nobody has used yet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Proportional {
    /// The size until one whole segment has been used.
    pub first: u64,
    /// How long a segment should last.
    pub preload: Duration,
    /// The smallest size.
    pub step_min: u64,
    /// The largest size.
    pub step_max: u64,
}

impl Proportional {
    pub(super) fn size(&self, measured: &Measured) -> u64 {
        let size = match measured.used {
            // Used up in no time at all: as large as allowed.
            Some(used) => {
                count(used.size as f64 * self.preload.as_secs_f64() / used.elapsed.as_secs_f64())
            }
            None => self.first,
        };
        size.clamp(self.step_min, self.step_max)
    }
}
