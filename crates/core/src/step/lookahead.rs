//! Sizes a segment by a budget of time: the ids at hand should last for `lookahead`.

use std::time::Duration;

use super::{Measured, count};

/// `max(step, min(max_batch, roundUp(rate × lookahead, step)))`, refilled when fewer than
/// `rate × lookahead` ids are left.
///
/// A busy generator takes more at a time, an idle one takes `step`, and a restart wastes about
/// two lookaheads at most. With a `lookahead` of 0 nothing is reserved ahead.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Lookahead {
    /// The smallest size, and the unit of every size.
    pub step: u64,
    /// How long the ids at hand should last.
    pub lookahead: Duration,
    /// How long they can: what `range_ttl` would drop before that is not reserved.
    pub range_ttl: Option<Duration>,
    /// The largest size, a multiple of `step`.
    pub max_batch: u64,
}

impl Lookahead {
    pub(super) fn size(&self, measured: &Measured) -> u64 {
        self.whole_steps(self.level(measured))
    }

    /// At most one reservation: what a larger one would have brought comes with the next.
    pub(super) fn level(&self, measured: &Measured) -> u64 {
        let ahead = self
            .range_ttl
            .map_or(self.lookahead, |ttl| ttl.min(self.lookahead));
        count(measured.rate * ahead.as_secs_f64()).min(self.max_batch)
    }

    /// `ids` rounded up to whole steps, at least one, at most `max_batch`.
    pub(super) fn whole_steps(&self, ids: u64) -> u64 {
        ids.div_ceil(self.step)
            .max(1)
            .saturating_mul(self.step)
            .min(self.max_batch)
    }
}
