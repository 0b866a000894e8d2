//! How many ids a reservation asks for, and when the next one starts: pure functions of what was
//! measured, one file per policy.

mod doubling;
mod fixed;
mod lookahead;
mod proportional;
#[cfg(test)]
mod tests;

use std::time::Duration;

pub use doubling::Doubling;
pub use fixed::Fixed;
pub use lookahead::Lookahead;
pub use proportional::Proportional;

/// What a policy may look at.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Measured {
    /// Ids handed out per second; 0 until there is something to measure.
    pub rate: f64,
    /// The last segment that was used up whole.
    pub used: Option<Used>,
    /// The size of the newest segment that was granted.
    pub newest: Option<u64>,
}

/// A segment that was used up.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Used {
    /// How many ids it held.
    pub size: u64,
    /// From its becoming current to the next one's, whether a caller waited or not.
    pub elapsed: Duration,
}

/// What a generator holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Holding {
    /// The whole size of the current segment.
    pub current: u64,
    /// How many ids wait behind it.
    pub buffered: u64,
}

/// A step policy with its settings.
///
/// ```
/// use mintid_core::options::SegmentOptions;
/// use mintid_core::step::Measured;
///
/// let policy = SegmentOptions::default().plan()?.policy;
/// assert_eq!(policy.size(&Measured::default()), 100);
/// let busy = Measured { rate: 950.0, ..Measured::default() };
/// assert_eq!(policy.size(&busy), 1_000);
/// # Ok::<(), mintid_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Policy {
    /// See [`Lookahead`].
    Lookahead(Lookahead),
    /// See [`Proportional`].
    Proportional(Proportional),
    /// See [`Doubling`].
    Doubling(Doubling),
    /// See [`Fixed`].
    Fixed(Fixed),
}

impl Policy {
    /// How many ids the next reservation asks for, if nobody waits for more.
    pub fn size(&self, measured: &Measured) -> u64 {
        match self {
            Self::Lookahead(policy) => policy.size(measured),
            Self::Proportional(policy) => policy.size(measured),
            Self::Doubling(policy) => policy.size(measured),
            Self::Fixed(policy) => policy.step,
        }
    }

    /// A refill starts when fewer ids than this are left of the current segment; 0 for one that
    /// starts only when a caller finds none.
    pub fn level(&self, holding: Holding, measured: &Measured) -> u64 {
        match self {
            Self::Lookahead(policy) => policy.level(measured).saturating_sub(holding.buffered),
            _ if holding.buffered > 0 => 0,
            // As soon as the buffer is taken.
            Self::Proportional(_) => holding.current,
            // At half; the larger half, so that a segment of one id has a mark at all.
            Self::Doubling(_) | Self::Fixed(_) => holding.current - holding.current / 2,
        }
    }

    /// The size for callers that wait for `asked` ids, between [`least`](Self::least) and
    /// [`most`](Self::most), in the policy's unit.
    pub fn size_for(&self, asked: u64) -> u64 {
        match self {
            Self::Lookahead(policy) => policy.whole_steps(asked),
            _ => asked.clamp(self.least(), self.most()),
        }
    }

    /// The smallest reservation.
    pub fn least(&self) -> u64 {
        match self {
            Self::Lookahead(policy) => policy.step,
            Self::Proportional(policy) => policy.step_min,
            Self::Doubling(policy) => policy.step_min,
            Self::Fixed(policy) => policy.step,
        }
    }

    /// The largest reservation.
    pub fn most(&self) -> u64 {
        match self {
            Self::Lookahead(policy) => policy.max_batch,
            Self::Proportional(policy) => policy.step_max,
            Self::Doubling(policy) => policy.step_max,
            Self::Fixed(policy) => policy.step,
        }
    }
}

/// `value` as a count of ids, rounded up; never past 2^63.
fn count(value: f64) -> u64 {
    // A float is cast with saturation, and NaN becomes 0.
    (value.ceil() as u64).min(1 << 63)
}
