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

/// What tells the time of day, which may go back and leap.
pub trait WallClock: Send + Sync {
    /// The present time in Unix ms.
    fn unix_ms(&self) -> u64;
}

/// A time of day that stands still until it is set: for tests.
#[derive(Debug)]
pub struct ManualWallClock {
    unix_ms: AtomicU64,
}

impl ManualWallClock {
    /// A clock that tells `unix_ms`.
    pub fn new(unix_ms: u64) -> Self {
        Self {
            unix_ms: AtomicU64::new(unix_ms),
        }
    }

    /// Sets the clock, ahead or back.
    pub fn set(&self, unix_ms: u64) {
        // Relaxed: the clock publishes nothing but itself.
        self.unix_ms.store(unix_ms, Ordering::Relaxed);
    }

    /// Moves the clock by so many ms, back if there are less than none. Stops at the ends of
    /// time.
    pub fn step(&self, ms: i64) {
        let moved = |unix_ms: u64| Some(unix_ms.saturating_add_signed(ms));
        // Relaxed: as in `set`.
        self.unix_ms
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, moved)
            .expect("it is always moved");
    }
}

impl WallClock for ManualWallClock {
    fn unix_ms(&self) -> u64 {
        // Relaxed: as in `set`.
        self.unix_ms.load(Ordering::Relaxed)
    }
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
