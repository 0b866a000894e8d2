//! The buffer seen from outside, one file per behaviour; time is moved by hand.
//!
//! How threads may meet in it is modelled in `loom_buffer.rs`; how the policies behave behind it
//! over time is in `step/tests/load.rs`.

mod direct;
mod drawing;
mod ending;
mod expiry;
mod failing;
mod keep;
mod late;
mod stats;
mod threads;
mod waiting;

use std::time::Duration;

use super::*;
use crate::clock::ManualClock;
use crate::error::{Code, Error, Result};
use crate::options::{PolicyName, SegmentOptions};

/// A caller that may have gone away.
#[derive(Debug)]
struct Caller {
    is_gone: bool,
}

const HERE: Caller = Caller { is_gone: false };
const GONE: Caller = Caller { is_gone: true };

impl Waiter for Caller {
    fn is_gone(&self) -> bool {
        self.is_gone
    }
}

const STARTS_TASK: Enlisted = Enlisted::Waits { start_task: true };
const JOINS_TASK: Enlisted = Enlisted::Waits { start_task: false };

/// A buffer with a clock of its own and a store that only counts.
struct Fixture {
    clock: ManualClock,
    buffer: SegmentBuffer<Caller>,
    /// The highest id the store has granted.
    granted: u64,
}

impl Fixture {
    fn new(options: &SegmentOptions) -> Self {
        Self {
            clock: ManualClock::default(),
            buffer: SegmentBuffer::new(options.plan().expect("valid options")),
            granted: 0,
        }
    }

    /// Segments of `step` ids, refilled at half.
    fn fixed(step: u64) -> Self {
        Self::new(&fixed(step))
    }

    fn now(&self) -> Moment {
        self.clock.now()
    }

    fn at_hand(&self) -> u64 {
        self.buffer.at_hand(self.now())
    }

    fn advance(&self, ms: u64) {
        self.clock.advance(Duration::from_millis(ms));
    }

    fn draw(&self, n: u32) -> Drawn {
        self.buffer.draw(n, &self.clock)
    }

    /// The first and the last of up to `n` ids.
    fn ids(&self, n: u32) -> Option<(u64, u64)> {
        let range = self.draw(n).range?;
        Some((range.start, range.last()))
    }

    fn enlist(&self, caller: Caller, missing: u64) -> Result<Enlisted> {
        self.buffer.enlist(caller, Need::of(missing), self.now())
    }

    fn next(&self) -> Next {
        self.buffer.next(self.now())
    }

    /// Sends the reservation that is due.
    #[track_caller]
    fn send(&self) -> Attempt {
        match self.next() {
            Next::Reserve(attempt) => attempt,
            other => panic!("no reservation is due: {other:?}"),
        }
    }

    /// Asks for a reservation and sends it.
    #[track_caller]
    fn want(&self) -> Attempt {
        self.buffer.want();
        self.send()
    }

    /// What the store has next for `attempt`.
    fn grant(&mut self, attempt: &Attempt) -> Range {
        let range = Range::after(self.granted, attempt.size).expect("ids are left");
        self.granted = range.last();
        range
    }

    fn finish(&self, attempt: &Attempt, answer: Result<Range>) -> Woken<Caller> {
        self.buffer.finish(attempt, answer, self.now())
    }

    fn answer(&mut self, attempt: &Attempt) -> Woken<Caller> {
        let range = self.grant(attempt);
        self.finish(attempt, Ok(range))
    }

    /// One whole refill; its size.
    #[track_caller]
    fn refill(&mut self) -> u64 {
        let attempt = self.want();
        told(self.answer(&attempt), 0);
        attempt.size
    }

    fn stats(&self) -> Stats {
        self.buffer.stats(self.now())
    }
}

fn fixed(step: u64) -> SegmentOptions {
    SegmentOptions {
        policy: Some(PolicyName::Fixed),
        step: Some(step),
        ..SegmentOptions::default()
    }
}

/// Checks that `callers` are told of a success.
#[track_caller]
fn told(woken: Woken<Caller>, callers: usize) {
    assert_eq!(woken.waiters.len(), callers);
    woken.outcome.expect("a success");
}

/// Checks that `callers` are told of a failure with `code`.
#[track_caller]
fn told_of(code: Code, woken: Woken<Caller>, callers: usize) {
    assert_eq!(woken.waiters.len(), callers);
    let error = woken.outcome.expect_err("a failure");
    assert_eq!(error.code(), code);
}

#[track_caller]
fn refused<T: std::fmt::Debug>(code: Code, result: Result<T>) {
    assert_eq!(result.expect_err("a refusal").code(), code);
}

fn away() -> Error {
    Error::Store {
        store: "memory:".to_owned(),
        reason: "away".to_owned(),
    }
}

fn timed_out() -> Error {
    Error::TimedOut {
        name: "orders".to_owned(),
        limit_ms: 3_000,
        trouble: None,
    }
}

fn sealed() -> Error {
    Error::RangeSealed {
        key: "orders".to_owned(),
    }
}

fn closed() -> Error {
    Error::Closed {
        name: "orders".to_owned(),
    }
}

fn exhausted(size: u64) -> Error {
    Error::RangeExhausted {
        key: "orders".to_owned(),
        size,
        last: 0,
        max: 0,
    }
}
