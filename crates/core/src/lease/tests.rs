//! The life of a lease, seen from outside; time is moved by hand.

mod claiming;
mod losing;
mod renewing;

use std::time::Duration;

use super::*;
use crate::clock::Moment;
use crate::error::{Code, Error};

const STORE_MS: u64 = 1_760_000_000_000;

/// A lease and the time.
struct Fixture {
    state: LeaseState,
    now: Moment,
}

impl Fixture {
    fn new(options: LeaseOptions, machines: Machines) -> Self {
        let plan = options.plan().expect("valid options");
        let now = Moment::new(Duration::from_secs(1_000));
        Self {
            state: LeaseState::new("sfid".to_owned(), plan, machines, now),
            now,
        }
    }

    /// Any number, for 60 s, renewed each 15.
    fn any() -> Self {
        Self::new(LeaseOptions::default(), ANY)
    }

    fn advance(&mut self, ms: u64) {
        self.now = self.now + Duration::from_millis(ms);
    }

    fn next(&mut self) -> Next {
        self.state.next(self.now)
    }

    #[track_caller]
    fn claim(&mut self) -> Attempt {
        match self.next() {
            Next::Claim(attempt) => attempt,
            other => panic!("no claim is due: {other:?}"),
        }
    }

    #[track_caller]
    fn renew(&mut self) -> Attempt {
        match self.next() {
            Next::Renew(attempt) => attempt,
            other => panic!("no renewal is due: {other:?}"),
        }
    }

    /// Checks that nothing is due for `ms`.
    #[track_caller]
    fn waits(&mut self, ms: u64) {
        let until = self.now + Duration::from_millis(ms);
        assert_eq!(self.next(), Next::Wait(until));
    }

    /// Claims number 7 and confirms it.
    #[track_caller]
    fn hold(&mut self) {
        let claim = self.claim();
        assert!(self.state.claimed(&claim, 7, STORE_MS));
        let renewal = self.renew();
        assert!(self.state.renewed(&renewal, STORE_MS));
        assert!(self.is_held());
    }

    fn is_held(&self) -> bool {
        self.state.is_held(self.now)
    }

    fn fail(&mut self, attempt: &Attempt, error: Error) {
        self.state.failed(attempt, error, None, self.now);
    }

    #[track_caller]
    fn lost(&mut self, loss: Loss) {
        assert_eq!(self.next(), Next::Lost { machine: 7, loss });
        assert!(!self.is_held());
    }

    #[track_caller]
    fn refuses(&self, code: Code) {
        assert_eq!(self.state.refusal().code(), code);
    }
}

const ANY: Machines = Machines {
    lowest: 0,
    highest: 1_023,
};

const FIXED: Machines = Machines {
    lowest: 7,
    highest: 7,
};

fn away() -> Error {
    Error::Unreachable {
        store: "redis://127.0.0.1".to_owned(),
        reason: "connection refused".to_owned(),
    }
}

fn exhausted() -> Error {
    Error::MachineIdsExhausted {
        scope: "sfid".to_owned(),
        lowest: 7,
        count: 1,
        holder: "is held by web:12".to_owned(),
    }
}

fn mismatch() -> Error {
    Error::LayoutMismatch {
        key: "sfid".to_owned(),
        store: "memory:".to_owned(),
        recorded: "41/10/12/ms/0".to_owned(),
        given: "40/10/12/ms/0".to_owned(),
    }
}

fn ttl(ms: u64) -> LeaseOptions {
    LeaseOptions {
        ttl: Some(Duration::from_millis(ms)),
        ..LeaseOptions::default()
    }
}
