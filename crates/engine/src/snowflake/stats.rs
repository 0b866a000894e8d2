use std::sync::atomic::{AtomicU64, Ordering};

/// What the generators of a lease have done so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SnowflakeStats {
    /// Ids handed out.
    pub issued: u64,
    /// Ids drawn and never handed out.
    pub wasted: u64,
    /// Callers that had to wait.
    pub waits: u64,
    /// Machine numbers claimed.
    pub leases: u64,
    /// Machine numbers lost.
    pub losses: u64,
    /// Renewals and claims that failed.
    pub failures: u64,
}

/// The same as it is counted.
#[derive(Debug, Default)]
pub(super) struct Tally {
    drawn: AtomicU64,
    wasted: AtomicU64,
    waits: AtomicU64,
    leases: AtomicU64,
    losses: AtomicU64,
    failures: AtomicU64,
}

// Relaxed throughout: figures that are old as soon as they are read.
impl Tally {
    pub(super) fn drew(&self, count: u32) {
        self.drawn.fetch_add(count.into(), Ordering::Relaxed);
    }

    pub(super) fn wasted(&self, count: u64) {
        self.wasted.fetch_add(count, Ordering::Relaxed);
    }

    pub(super) fn waited(&self, callers: u64) {
        self.waits.fetch_add(callers, Ordering::Relaxed);
    }

    pub(super) fn leased(&self) {
        self.leases.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn lost(&self) {
        self.losses.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn failed(&self) {
        self.failures.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn read(&self) -> SnowflakeStats {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        let wasted = read(&self.wasted);
        SnowflakeStats {
            issued: read(&self.drawn).saturating_sub(wasted),
            wasted,
            waits: read(&self.waits),
            leases: read(&self.leases),
            losses: read(&self.losses),
            failures: read(&self.failures),
        }
    }
}
