//! The life of one lease, as the process that holds it sees it.

use std::sync::Arc;
use std::time::Duration;

use crate::clock::Moment;
use crate::error::{Code, Error};
use crate::options::{LeasePlan, Machines};

/// How long the store may take, where heartbeats are far apart.
const MOST_PATIENCE: Duration = Duration::from_secs(3);
/// When a renewal that failed is tried again, where heartbeats are far apart.
const RENEW_AGAIN: Duration = Duration::from_secs(2);
/// When a claim that failed is tried again at first; doubled each time.
const CLAIM_AGAIN: Duration = Duration::from_millis(100);
/// How long a failing claim is ever put off.
const MOST_CLAIM_AGAIN: Duration = Duration::from_secs(5);
/// The least that a process stops ahead of the store's deadline.
const LEAST_MARGIN: Duration = Duration::from_secs(1);

/// A request that is under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    number: u64,
    /// Taken before it is sent: what the store grants counts from here.
    sent: Moment,
    /// How long the store may take.
    pub patience: Duration,
}

/// How a lease was lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Loss {
    /// It was not renewed before its deadline.
    Expired,
    /// The number belongs to another.
    Taken {
        /// The other's token.
        by: String,
    },
    /// The store does not know it any more.
    Wiped,
    /// The process is a copy of the one that held it.
    Forked,
}

impl std::fmt::Display for Loss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Expired => f.write_str("its lease was not renewed in time"),
            Self::Taken { by } if by.is_empty() => f.write_str("it was freed by force"),
            Self::Taken { by } => write!(f, "{by} holds it now"),
            Self::Wiped => f.write_str("the store does not know its lease any more"),
            Self::Forked => f.write_str("this process is a copy of the one that held it"),
        }
    }
}

/// What is due.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Next {
    /// A number is to be claimed, under a token of its own.
    Claim(Attempt),
    /// The lease is to be renewed.
    Renew(Attempt),
    /// The tenure is to be ended and everybody told. Comes once per lease that was held.
    Lost {
        /// The number.
        machine: u32,
        /// How it was lost.
        loss: Loss,
    },
    /// Nothing until then, or until an answer comes.
    Wait(Moment),
    /// Nothing ever.
    Ended,
}

/// One lease after another: claimed, confirmed by a renewal, renewed until it is lost or closed.
///
/// One attempt is under way at a time. One that has not answered in time is given up, and what it
/// brings later is refused.
#[derive(Debug)]
pub struct LeaseState {
    /// What messages call the lease table.
    scope: String,
    plan: LeasePlan,
    machines: Machines,
    phase: Phase,
    under_way: Option<Attempt>,
    /// How many attempts were made.
    attempts: u64,
    /// How many of them failed in a row.
    failures: u32,
    /// Why the last one failed.
    trouble: Option<Error>,
    /// The number that was lost and not yet replaced.
    lost: Option<Lost>,
    /// When the store told its time, and what it told.
    store_time: Option<(Moment, u64)>,
}

#[derive(Debug, Clone, Copy)]
enum Phase {
    Claiming { since: Moment, at: Moment },
    Held(Held),
    Ended,
}

#[derive(Debug, Clone, Copy)]
struct Held {
    machine: u32,
    deadline: Moment,
    renew_at: Moment,
    /// Whether a renewal by the same token was answered. Until then a claim may be one whose
    /// answer outlived it.
    is_confirmed: bool,
}

#[derive(Debug)]
struct Lost {
    machine: u32,
    loss: Loss,
    is_told: bool,
}

impl LeaseState {
    /// The life of a lease of `scope` that nobody has asked for yet.
    pub fn new(scope: String, plan: LeasePlan, machines: Machines, now: Moment) -> Self {
        Self {
            scope,
            plan,
            machines,
            phase: Phase::Claiming {
                since: now,
                at: now,
            },
            under_way: None,
            attempts: 0,
            failures: 0,
            trouble: None,
            lost: None,
            store_time: None,
        }
    }

    /// What is due. An attempt that is given out counts as sent now.
    pub fn next(&mut self, now: Moment) -> Next {
        if matches!(self.phase, Phase::Held(held) if held.deadline <= now) {
            self.lose(Loss::Expired, now);
        }
        if let Some(lost) = self.lost.as_mut().filter(|lost| !lost.is_told) {
            lost.is_told = true;
            return Next::Lost {
                machine: lost.machine,
                loss: lost.loss.clone(),
            };
        }
        if let Some(attempt) = self.under_way {
            let until = attempt.sent + attempt.patience;
            if now < until {
                return Next::Wait(until);
            }
            let unanswered = Error::Store {
                store: self.scope.clone(),
                reason: format!("no answer within {} ms", attempt.patience.as_millis()),
            };
            self.failed(&attempt, unanswered, None, now);
        }
        match self.phase {
            Phase::Claiming { at, .. } if at <= now => {
                let patience = MOST_PATIENCE.min(self.plan.ttl / 2);
                Next::Claim(self.send(patience, now))
            }
            Phase::Claiming { at, .. } => Next::Wait(at),
            Phase::Held(held) if held.renew_at <= now => {
                // A renewal that is answered after the deadline is of no use.
                let patience = MOST_PATIENCE.min(self.plan.heartbeat);
                Next::Renew(self.send(patience.min(held.deadline - now), now))
            }
            Phase::Held(held) => Next::Wait(held.renew_at.min(held.deadline)),
            Phase::Ended => Next::Ended,
        }
    }

    fn send(&mut self, patience: Duration, now: Moment) -> Attempt {
        self.attempts += 1;
        let attempt = Attempt {
            number: self.attempts,
            sent: now,
            patience,
        };
        self.under_way = Some(attempt);
        attempt
    }

    /// A number was claimed while the store's clock told `store_now_ms`. A renewal is due at once.
    ///
    /// Gives `false` for an attempt that was given up: the number is then to be released.
    #[must_use]
    pub fn claimed(&mut self, attempt: &Attempt, machine: u32, store_now_ms: u64) -> bool {
        if !self.take(attempt) || !matches!(self.phase, Phase::Claiming { .. }) {
            return false;
        }
        self.succeeded(attempt, store_now_ms);
        self.phase = Phase::Held(Held {
            machine,
            deadline: self.deadline(attempt),
            renew_at: attempt.sent,
            is_confirmed: false,
        });
        true
    }

    /// The lease was renewed while the store's clock told `store_now_ms`.
    ///
    /// Gives `false` for an attempt that was given up: it changes nothing.
    #[must_use]
    pub fn renewed(&mut self, attempt: &Attempt, store_now_ms: u64) -> bool {
        let (true, Phase::Held(held)) = (self.take(attempt), self.phase) else {
            return false;
        };
        self.succeeded(attempt, store_now_ms);
        self.lost = None;
        self.phase = Phase::Held(Held {
            machine: held.machine,
            deadline: self.deadline(attempt),
            renew_at: attempt.sent + self.plan.heartbeat,
            is_confirmed: true,
        });
        true
    }

    /// A renewal found that the lease is gone.
    pub fn gone(&mut self, attempt: &Attempt, loss: Loss, now: Moment) {
        if self.take(attempt) {
            self.lose(loss, now);
        }
    }

    /// A claim or a renewal failed. It is tried again with back-off, a claim not before `after`
    /// has passed; a failure of a claim that is final ends everything.
    pub fn failed(
        &mut self,
        attempt: &Attempt,
        error: Error,
        after: Option<Duration>,
        now: Moment,
    ) {
        if !self.take(attempt) {
            return;
        }
        let is_final = !error.is_retryable();
        self.trouble = Some(error);
        // Heartbeats that are close together leave less time for another try.
        let most = self.plan.heartbeat / 2;
        match &mut self.phase {
            Phase::Claiming { .. } if is_final => self.phase = Phase::Ended,
            Phase::Claiming { at, .. } => {
                let doubled = CLAIM_AGAIN.saturating_mul(1 << self.failures.min(16));
                let again = doubled.min(MOST_CLAIM_AGAIN).min(most);
                *at = now + after.unwrap_or_default().max(again);
            }
            Phase::Held(held) => held.renew_at = now + RENEW_AGAIN.min(most),
            Phase::Ended => {}
        }
        self.failures = self.failures.saturating_add(1);
    }

    /// The lease is not held any more, and another is claimed. Does nothing if none is held.
    pub fn lose(&mut self, loss: Loss, now: Moment) {
        let Phase::Held(held) = self.phase else {
            return;
        };
        // Nobody was ever told of one that was not confirmed.
        if held.is_confirmed {
            self.lost = Some(Lost {
                machine: held.machine,
                loss,
                is_told: false,
            });
        }
        self.under_way = None;
        self.failures = 0;
        self.phase = Phase::Claiming {
            since: now,
            at: now,
        };
    }

    /// Ends everything: no attempt follows. Says whether a number is held, which is then to be
    /// released.
    #[must_use]
    pub fn end(&mut self) -> bool {
        self.under_way = None;
        matches!(
            std::mem::replace(&mut self.phase, Phase::Ended),
            Phase::Held(_)
        )
    }

    /// Whether a number is held and may be used.
    pub fn is_held(&self, now: Moment) -> bool {
        matches!(self.phase, Phase::Held(held) if held.is_confirmed && now < held.deadline)
    }

    /// The number that is held, and until when.
    pub fn held(&self) -> Option<(u32, Moment)> {
        match self.phase {
            Phase::Held(held) if held.is_confirmed => Some((held.machine, held.deadline)),
            _ => None,
        }
    }

    /// What the store's clock tells by now, in Unix ms, at least.
    pub fn store_now_ms(&self, now: Moment) -> Option<u64> {
        let (at, unix_ms) = self.store_time?;
        let since = u64::try_from((now - at).as_millis()).unwrap_or(u64::MAX);
        Some(unix_ms.saturating_add(since))
    }

    /// What a caller is told who finds no number held.
    pub fn refusal(&self) -> Error {
        match (&self.lost, &self.trouble) {
            (_, Some(error)) if !error.is_retryable() => error.clone(),
            (Some(lost), trouble) => Error::LeaseLost {
                scope: self.scope.clone(),
                machine: lost.machine,
                reason: lost.loss.to_string(),
                trouble: trouble.clone().map(Arc::new),
            },
            (None, Some(error)) => error.clone(),
            (None, None) => Error::LeasePending {
                scope: self.scope.clone(),
                until_ms: None,
            },
        }
    }

    /// What one is told who would wait for a number as long as it takes, if that is no use: a
    /// final failure, or numbers that others hold. A fixed one is waited for until `claimTimeout`
    /// has passed, as its holder may be dead.
    pub fn verdict(&self, now: Moment) -> Option<Error> {
        let error = self.trouble.as_ref()?;
        let is_taken = error.code() == Code::MachineIdsExhausted;
        let is_overdue = match self.phase {
            Phase::Claiming { since, .. } => now - since >= self.plan.claim_timeout,
            Phase::Held(_) => false,
            Phase::Ended => true,
        };
        let is_vain = is_taken && (is_overdue || !self.machines.is_fixed());
        (is_vain || !error.is_retryable()).then(|| error.clone())
    }

    /// Whether the attempt is the one under way; it is not any more.
    fn take(&mut self, attempt: &Attempt) -> bool {
        let is_current = self.under_way.as_ref() == Some(attempt);
        if is_current {
            self.under_way = None;
        }
        is_current
    }

    fn succeeded(&mut self, attempt: &Attempt, store_now_ms: u64) {
        self.failures = 0;
        self.trouble = None;
        self.store_time = Some((attempt.sent, store_now_ms));
    }

    /// The store counts from later than this, so its own deadline lies further ahead by more than
    /// the margin.
    fn deadline(&self, attempt: &Attempt) -> Moment {
        let ttl = self.plan.ttl;
        attempt.sent + (ttl - LEAST_MARGIN.max(ttl / 10))
    }
}
