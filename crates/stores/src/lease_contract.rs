//! The contract of [`LeaseStore`](crate::LeaseStore), as a suite that judges any store through its
//! public methods.
//!
//! Like that of ranges it is no proof: it names each invariant that it saw broken. It works in
//! namespaces of its own, and never waits longer for one answer than [`LeaseHarness::patience`].

mod checks;
mod claims;
mod limits;
mod listing;
mod releases;
mod renewals;
mod suite;
mod tables;

use std::sync::Arc;
use std::time::Duration;

pub use crate::contract::Broken;
use crate::lease_store::LeaseScope;
use crate::range_store::{Answer, RangeStore};

/// Makes clients of one store, and spoils what that keeps where it can.
///
/// A fault that is not caused (`None`) is not judged.
pub trait LeaseHarness: Send + Sync {
    /// Another client of the store: another connection, as another process would have it.
    fn client(&self) -> Answer<'_, Arc<dyn RangeStore>>;

    /// How long one call may take before the store is said to hang.
    fn patience(&self) -> Duration {
        Duration::from_secs(10)
    }

    /// Whether newcomers to an empty table wait, because the store may have lost what it held.
    fn waits(&self) -> bool {
        true
    }

    /// Puts `record` in the place of what is kept of a machine id: `deadline|ceiling|owner`, both
    /// in Unix ms, or something that is no record.
    fn spoil<'a>(
        &'a self,
        _scope: &'a LeaseScope,
        _machine: u32,
        _record: &'a str,
    ) -> Option<Answer<'a, ()>> {
        None
    }

    /// Makes the store forget all about a scope, as a flushed server would.
    fn wipe<'a>(&'a self, _scope: &'a LeaseScope) -> Option<Answer<'a, ()>> {
        None
    }
}

/// Judges the store behind `harness`.
///
/// Never panics, whatever the store does; a store that hangs is reported, and judged no further.
/// Must run on a tokio runtime with time enabled.
///
/// # Errors
/// Everything that was seen broken.
///
/// # Cancel safety
/// Dropping it leaves the leases it made, which end within seconds.
///
/// # Example
/// ```
/// use std::sync::Arc;
/// use mintid_stores::lease_contract::{LeaseHarness, verify_leases};
/// use mintid_stores::memory::MemoryStore;
/// use mintid_stores::{Answer, RangeStore};
///
/// struct Memory(MemoryStore);
///
/// impl LeaseHarness for Memory {
///     fn client(&self) -> Answer<'_, Arc<dyn RangeStore>> {
///         Box::pin(async { Ok(Arc::new(self.0.client()) as Arc<dyn RangeStore>) })
///     }
///
///     fn waits(&self) -> bool {
///         false
///     }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime").block_on(async {
/// assert_eq!(verify_leases(&Memory(MemoryStore::default())).await, Ok(()));
/// # });
/// ```
pub async fn verify_leases(harness: &dyn LeaseHarness) -> Result<(), Vec<Broken>> {
    let broken = checks::all(harness).await;
    if broken.is_empty() {
        Ok(())
    } else {
        Err(broken)
    }
}

#[cfg(test)]
mod tests;
