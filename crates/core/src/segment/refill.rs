//! Where a refill stands: wanted, on its way, failed and waiting to be tried again.

use std::time::Duration;

use crate::clock::Moment;
use crate::error::{Error, Result};

/// The first delay after a failure.
const FIRST_DELAY: Duration = Duration::from_millis(100);
/// The longest delay between two attempts.
const LONGEST_DELAY: Duration = Duration::from_secs(5);

/// What the engine keeps of a caller that waits for ids.
pub trait Waiter {
    /// Whether the caller has gone away, so that nobody has to be served.
    fn is_gone(&self) -> bool;
}

/// What a caller is short of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Need {
    /// It looks again as soon as this many ids are in memory.
    pub at_hand: u64,
    /// How many ids it wants of the next reservation.
    pub missing: u64,
}

impl Need {
    /// A caller that takes what comes, until it has `missing` ids.
    pub fn of(missing: u64) -> Self {
        Self {
            at_hand: 1,
            missing,
        }
    }
}

/// What became of a caller that wanted to wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Enlisted {
    /// Ids have come in the meantime.
    LookAgain,
    /// It will be woken by the next outcome.
    Waits {
        /// Whether the caller has to start the refill task.
        start_task: bool,
    },
}

/// What the refill task has to do next.
#[derive(Debug, PartialEq)]
pub enum Next {
    /// Ask the store.
    Reserve(Attempt),
    /// Ask again what to do at this moment.
    Wait(Moment),
    /// End: the next call of [`want`](super::SegmentBuffer::want) starts another task.
    Rest,
}

/// One reservation on its way.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Attempt {
    /// Which one it is, so that a late answer is known as such.
    pub number: u64,
    /// How many ids to ask for.
    pub size: u64,
    /// When it was sent: the age of its range counts from here.
    pub sent: Moment,
}

/// The callers to tell of an outcome, all at once.
#[derive(Debug)]
#[must_use = "a waiter that is not told waits until its time is up"]
pub struct Woken<W> {
    /// Everybody who waited.
    pub waiters: Vec<W>,
    /// `Ok` when ids may be there.
    pub outcome: Result<()>,
}

impl<W> Woken<W> {
    /// Nobody has to be told anything.
    pub(super) fn nobody() -> Self {
        Self {
            waiters: Vec::new(),
            outcome: Ok(()),
        }
    }
}

/// The state of a generator's refill. At most one attempt holds the place of the current one; an
/// attempt that was given up may still answer, and is told apart by its number.
#[derive(Debug, Default)]
pub(super) struct Refill {
    /// Somebody found too few ids since the last attempt began.
    pub(super) wanted: bool,
    /// A task is there and will look at `wanted` again before it ends.
    pub(super) running: bool,
    /// The number of the newest attempt.
    number: u64,
    /// The attempt that callers wait for.
    in_flight: Option<Attempt>,
    /// After a failure: when the next attempt may begin, and what callers are told until then.
    retry: Option<Retry>,
    /// How often attempts have failed in a row.
    failures_in_a_row: u32,
    /// The largest size to ask for while the end of the counter is near.
    pub(super) cap: Option<u64>,
}

#[derive(Debug)]
struct Retry {
    at: Moment,
    error: Error,
}

impl Refill {
    /// Whether the caller has to start a task.
    pub(super) fn want(&mut self) -> bool {
        self.wanted = true;
        !std::mem::replace(&mut self.running, true)
    }

    /// When the next attempt may begin, if not now.
    pub(super) fn delayed_until(&self, now: Moment) -> Option<Moment> {
        self.retry
            .as_ref()
            .map(|retry| retry.at)
            .filter(|at| now < *at)
    }

    /// What a caller without an id is told at once: the last failure, until it is tried again.
    pub(super) fn fails_fast(&self, now: Moment) -> Option<Error> {
        self.retry
            .as_ref()
            .filter(|retry| self.in_flight.is_none() && now < retry.at)
            .map(|retry| retry.error.clone())
    }

    pub(super) fn start(&mut self, size: u64, now: Moment) -> Attempt {
        self.wanted = false;
        self.number += 1;
        let attempt = Attempt {
            number: self.number,
            size,
            sent: now,
        };
        self.in_flight = Some(attempt);
        attempt
    }

    /// Takes `attempt` off the way; `false` if it had been given up before.
    pub(super) fn land(&mut self, attempt: &Attempt) -> bool {
        let is_current = self
            .in_flight
            .is_some_and(|current| current.number == attempt.number);
        if is_current {
            self.in_flight = None;
        }
        is_current
    }

    pub(super) fn succeeded(&mut self) {
        self.failures_in_a_row = 0;
        self.retry = None;
    }

    /// Ends the delay after a failure. Another one is still one more in a row.
    pub(super) fn retry_now(&mut self) {
        self.retry = None;
    }

    /// Notes a failure. `lasts` is how long the ids in memory will do: an early refill is tried
    /// again before they are gone.
    pub(super) fn failed(&mut self, error: Error, now: Moment, lasts: Option<Duration>) {
        let doubled = FIRST_DELAY.saturating_mul(1 << self.failures_in_a_row.min(16));
        self.failures_in_a_row += 1;
        let delay = match lasts {
            Some(lasts) => doubled.min((lasts / 2).max(FIRST_DELAY)),
            None => doubled,
        };
        self.retry = Some(Retry {
            at: now + delay.min(LONGEST_DELAY),
            error,
        });
    }
}
