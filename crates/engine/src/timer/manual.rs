//! The clock of tests.
//!
//! Invariant: a sleeper is in the list from its first poll until it is over or dropped, so the list
//! tells when something will happen next.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use mintid_core::{Clock, ManualClock, Moment};
use parking_lot::Mutex;

use super::{Sleep, Timer};

/// A clock for tests: it stands still until it is advanced, and then wakes who slept so long.
#[derive(Debug, Default)]
pub struct ManualTimer {
    time: Arc<Time>,
}

#[derive(Debug, Default)]
struct Time {
    clock: ManualClock,
    /// How far the time of day is from [`NOON`] and what has passed since.
    walked_ms: AtomicI64,
    sleepers: Mutex<Sleepers>,
}

/// The time of day at which a clock of tests begins: 2026-01-01T12:00:00Z.
const NOON: u64 = 1_767_268_800_000;

#[derive(Debug, Default)]
struct Sleepers {
    /// How many there ever were: the number of the last one.
    made: u64,
    /// In the order in which they are due.
    wakers: BTreeMap<(Moment, u64), Waker>,
}

impl ManualTimer {
    /// Moves the clock ahead and wakes every sleeper that is then due.
    pub fn advance(&self, by: Duration) {
        let mut sleepers = self.time.sleepers.lock();
        // Under the lock: whoever goes to sleep has either seen this, or is woken by it.
        self.time.clock.advance(by);
        let later = sleepers.wakers.split_off(&(self.now(), u64::MAX));
        let due = std::mem::replace(&mut sleepers.wakers, later);
        drop(sleepers);
        for waker in due.into_values() {
            waker.wake();
        }
    }

    /// Moves the clock ahead to the moment at which the next sleeper is due, but not past `end`;
    /// `false` once it is there and no sleeper was due on the way.
    pub fn step(&self, end: Moment) -> bool {
        let now = self.now();
        let sleepers = self.time.sleepers.lock();
        // Those that are due have been woken, and are only waiting for their turn.
        let mut coming = sleepers.wakers.range((now, u64::MAX)..);
        let due = coming.next().map(|((at, _), _)| *at);
        drop(sleepers);
        let due = due.filter(|at| *at <= end);
        self.advance(due.unwrap_or(end) - now);
        due.is_some()
    }

    /// Sets the time of day ahead by `ms`, or back: whoever sleeps notices nothing.
    pub fn walk(&self, ms: i64) {
        // Relaxed: it publishes nothing but itself.
        self.time.walked_ms.fetch_add(ms, Ordering::Relaxed);
    }

    /// How often anybody went to sleep.
    pub fn sleeps(&self) -> u64 {
        self.time.sleepers.lock().made
    }
}

impl Clock for ManualTimer {
    fn now(&self) -> Moment {
        self.time.clock.now()
    }
}

impl Timer for ManualTimer {
    fn sleep_until(&self, at: Moment) -> Sleep {
        let number = {
            let mut sleepers = self.time.sleepers.lock();
            sleepers.made += 1;
            sleepers.made
        };
        Box::pin(ManualSleep {
            time: Arc::clone(&self.time),
            at,
            number,
        })
    }

    fn unix_ms(&self) -> u64 {
        let passed = self.now().since_origin().as_millis();
        let passed = u64::try_from(passed).unwrap_or(u64::MAX);
        // Relaxed: as in `walk`.
        let walked = self.time.walked_ms.load(Ordering::Relaxed);
        NOON.saturating_add(passed).saturating_add_signed(walked)
    }

    fn is_manual(&self) -> bool {
        true
    }
}

struct ManualSleep {
    time: Arc<Time>,
    at: Moment,
    number: u64,
}

impl Future for ManualSleep {
    type Output = ();

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        let place = (self.at, self.number);
        let mut sleepers = self.time.sleepers.lock();
        if self.time.clock.now() >= self.at {
            sleepers.wakers.remove(&place);
            return Poll::Ready(());
        }
        sleepers.wakers.insert(place, context.waker().clone());
        Poll::Pending
    }
}

impl Drop for ManualSleep {
    fn drop(&mut self) {
        let place = (self.at, self.number);
        // Dropped after the lock is free again: a waker may be the last to hold a task, and so
        // another sleeper.
        let _waker = self.time.sleepers.lock().wakers.remove(&place);
    }
}
