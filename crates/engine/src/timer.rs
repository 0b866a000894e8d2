//! Clocks that can also wake a task.

use std::future::Future;
use std::pin::Pin;
use std::time::{Duration, SystemTime};

use mintid_core::{Clock, Moment};

use crate::runtime::runtime;

mod manual;

pub use manual::ManualTimer;

/// A sleep that is still going on.
pub type Sleep = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A clock that tells the moment and wakes tasks at one.
pub trait Timer: Clock + 'static {
    /// Resolves once [`now`](Clock::now) has reached `at`. May be polled on any runtime.
    fn sleep_until(&self, at: Moment) -> Sleep;

    /// The time of day in Unix ms, which may be set back and ahead while the clock runs.
    fn unix_ms(&self) -> u64;

    /// Whether its time passes only when somebody moves it.
    fn is_manual(&self) -> bool {
        false
    }
}

/// The machine's monotonic clock, which goes on while the machine sleeps: an id that was reserved
/// before a suspend is as old afterwards as the wall clock says.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemTimer;

impl Clock for SystemTimer {
    fn now(&self) -> Moment {
        Moment::new(since_boot())
    }
}

impl Timer for SystemTimer {
    fn sleep_until(&self, at: Moment) -> Sleep {
        // Our runtime drives the timer, whoever awaits it.
        let _runtime = runtime().enter();
        Box::pin(tokio::time::sleep(at - self.now()))
    }

    /// 0 for a clock that stands before 1970.
    #[inline]
    fn unix_ms(&self) -> u64 {
        SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .map_or(0, |since| {
                u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
            })
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn since_boot() -> Duration {
    clock(rustix::time::ClockId::Boottime)
}

/// On these systems the monotonic clock counts the time asleep.
#[cfg(any(target_vendor = "apple", target_os = "freebsd"))]
fn since_boot() -> Duration {
    clock(rustix::time::ClockId::Monotonic)
}

#[cfg(unix)]
fn clock(id: rustix::time::ClockId) -> Duration {
    let now = rustix::time::clock_gettime(id);
    Duration::try_from(now).unwrap_or_default()
}

/// Windows counts the time asleep in what the standard library reads.
#[cfg(windows)]
fn since_boot() -> Duration {
    static ORIGIN: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    ORIGIN.get_or_init(std::time::Instant::now).elapsed()
}

#[cfg(test)]
mod tests;
