//! What is kept of leases, and how it is written.

use std::time::Duration;

use mintid_core::snowflake::Layout;

use crate::lease_store::{Claim, Renew};

/// The most digits of a time in a record: scripts count in doubles.
const MOST_DIGITS: usize = 15;

/// The highest time that a record holds.
pub(super) const MOST_MS: u64 = 999_999_999_999_999;

/// The longest span: three of them after any time of this age are a time that a record holds.
const MOST_SPAN_MS: u64 = 100_000_000_000_000;

/// What a store remembers of a scope as a whole.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// The layout and the limits that everybody shares, as [`terms`] writes them; `None` in a
    /// table that is new or was wiped.
    pub terms: Option<String>,
    /// Nobody mints at or before it who claims from now on.
    pub fresh_ms: u64,
    /// Whether the store may have lost what it acknowledged last.
    pub may_have_lost: bool,
    /// Whether a table that is empty has never held anything, because the store forgets nothing.
    pub is_kept: bool,
}

/// What a store keeps of one machine id.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaseRecord {
    /// Until when it is held, by the store's clock.
    pub deadline_ms: u64,
    /// The highest time that its holders may have used.
    pub ceiling_ms: u64,
    /// Who holds it; empty once it was given back.
    pub owner: String,
}

impl LeaseRecord {
    /// Reads `deadline|ceiling|owner`; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, '|');
        let mut time = || {
            let digits = parts.next()?;
            let is_time = (1..=MOST_DIGITS).contains(&digits.len())
                && digits.bytes().all(|byte| byte.is_ascii_digit());
            is_time.then(|| digits.parse().ok()).flatten()
        };
        Some(Self {
            deadline_ms: time()?,
            ceiling_ms: time()?,
            owner: parts.next()?.to_owned(),
        })
    }

    /// The record of a machine id that nobody holds, and whose holders came up to `ceiling_ms`.
    pub(super) fn free(ceiling_ms: u64) -> Self {
        Self {
            deadline_ms: 0,
            ceiling_ms,
            owner: String::new(),
        }
    }

    pub(super) fn is_held(&self, now_ms: u64) -> bool {
        !self.owner.is_empty() && self.deadline_ms > now_ms
    }
}

impl std::fmt::Display for LeaseRecord {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}|{}|{}", self.deadline_ms, self.ceiling_ms, self.owner)
    }
}

/// How it stands with one machine id.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Standing {
    /// Nothing is remembered of it.
    #[default]
    Unknown,
    /// It has a record.
    Recorded(LeaseRecord),
    /// It has something in the place of a record.
    Unreadable(String),
    /// It belongs to a client that keeps no records.
    Foreign(String),
}

/// What everybody in a scope has to agree on, as a store keeps it.
pub fn terms(request: &Claim) -> String {
    format!(
        "{}|{}|{}",
        request.layout.record(),
        millis(request.ttl),
        millis(request.max_clock_skew)
    )
}

/// How high a holder may go.
pub(super) struct Ceiling {
    layout: Layout,
    own_now_ms: u64,
    ttl_ms: u64,
    max_clock_skew_ms: u64,
}

impl Ceiling {
    pub(super) fn of_claim(request: &Claim) -> Self {
        Self {
            layout: request.layout,
            own_now_ms: request.now_ms,
            ttl_ms: millis(request.ttl),
            max_clock_skew_ms: millis(request.max_clock_skew),
        }
    }

    pub(super) fn of_renewal(request: &Renew) -> Self {
        Self {
            layout: request.layout,
            own_now_ms: request.now_ms,
            ttl_ms: millis(request.ttl),
            max_clock_skew_ms: millis(request.max_clock_skew),
        }
    }

    /// One `ttl` ahead of the holder's clock, and never further ahead of the store's than a clock
    /// that may be used could have come.
    pub(super) fn at(&self, now_ms: u64) -> u64 {
        let own = self.own_now_ms.saturating_add(self.ttl_ms);
        let most = now_ms
            .saturating_add(self.ttl_ms)
            .saturating_add(self.max_clock_skew_ms);
        self.layout.ceiling_at(own.min(most)).min(MOST_MS)
    }
}

/// A duration as records have it.
pub(crate) fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).map_or(MOST_SPAN_MS, |millis| millis.min(MOST_SPAN_MS))
}
