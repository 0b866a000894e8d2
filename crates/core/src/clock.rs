//! Time as the rules see it: a distance from an origin that nobody needs to know.
//!
//! Core never reads a clock by itself; whoever calls it brings the moment along.

use std::ops::{Add, Sub};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A point on a monotonic clock that goes on while the machine sleeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Moment(Duration);

impl Moment {
    /// The moment that lies `since_origin` after the clock's origin.
    pub const fn new(since_origin: Duration) -> Self {
        Self(since_origin)
    }

    /// The distance from the clock's origin.
    pub const fn since_origin(self) -> Duration {
        self.0
    }
}

impl Add<Duration> for Moment {
    type Output = Self;

    /// Saturates: a moment too far to be told is never.
    fn add(self, distance: Duration) -> Self {
        Self(self.0.saturating_add(distance))
    }
}

impl Sub for Moment {
    type Output = Duration;

    /// Saturates: a moment that has not come yet lies no time ago.
    fn sub(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

/// What tells the present moment.
pub trait Clock: Send + Sync {
    /// The present moment, never earlier than one told before.
    fn now(&self) -> Moment;
}

/// A clock that stands still until it is moved: for tests.
#[derive(Debug, Default)]
pub struct ManualClock {
    nanos: AtomicU64,
}

impl ManualClock {
    /// Moves the clock ahead.
    ///
    /// # Panics
    /// If the clock would pass the 584 years that it can tell.
    pub fn advance(&self, by: Duration) {
        let nanos = u64::try_from(by.as_nanos()).expect("a test lasts less than 584 years");
        // Relaxed: the clock publishes nothing but itself.
        self.nanos.fetch_add(nanos, Ordering::Relaxed);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Moment {
        // Relaxed: as in `advance`.
        Moment::new(Duration::from_nanos(self.nanos.load(Ordering::Relaxed)))
    }
}
