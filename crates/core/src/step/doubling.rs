//! Doubles while segments are used up quickly, halves while they are not; refilled at half.

use std::time::Duration;

use super::Measured;

/// Twice the newest size if the last segment was used up within `fetch_duration`, else half.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Doubling {
    /// The size before anything was measured.
    pub first: u64,
    /// How long a segment should last.
    pub fetch_duration: Duration,
    /// The smallest size.
    pub step_min: u64,
    /// The largest size.
    pub step_max: u64,
}

impl Doubling {
    pub(super) fn size(&self, measured: &Measured) -> u64 {
        let size = match (measured.used, measured.newest) {
            (Some(used), Some(newest)) if used.elapsed <= self.fetch_duration => {
                newest.saturating_mul(2)
            }
            (Some(_), Some(newest)) => newest / 2,
            _ => self.first,
        };
        size.clamp(self.step_min, self.step_max)
    }
}
