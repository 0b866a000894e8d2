//! The contract of [`RangeStore`], as a suite that judges any store through its public methods.
//!
//! It is not a benchmark, and no proof: it names each invariant that it saw broken. It works on
//! keys of its own, apart from a wiped store, and never waits longer for one answer than
//! [`Harness::patience`].

pub(crate) mod checks;
pub(crate) mod client;
mod counters;
mod faults;
mod floors;
mod identity;
mod limits;
mod offers;
mod ranges;
mod seals;
mod suite;

use std::sync::Arc;
use std::time::Duration;

use mintid_core::Key;

use crate::range_store::{Answer, RangeStore};

pub use offers::Offers;

/// Makes clients of one store, and breaks that store where it can.
///
/// A fault that is not caused (`None`) is not judged.
pub trait Harness: Send + Sync {
    /// Another client of the store: another connection, as another process would have it.
    fn client(&self) -> Answer<'_, Arc<dyn RangeStore>>;

    /// What of the contract the store offers. Asked whenever a client has been made.
    fn offers(&self) -> Offers {
        Offers::default()
    }

    /// How long one call may take before the store is said to hang.
    fn patience(&self) -> Duration {
        Duration::from_secs(10)
    }

    /// Sets the counter of `key` to `value`, as a restored backup would.
    fn rewind<'a>(&'a self, _key: &'a Key, _value: u64) -> Option<Answer<'a, ()>> {
        None
    }

    /// Makes the store forget everything, as a flushed server would. Done last.
    fn wipe(&self) -> Option<Answer<'_, ()>> {
        None
    }

    /// From now on commits fail, or no longer do.
    fn fail_commits(&self, _fail: bool) -> Option<Answer<'_, ()>> {
        None
    }

    /// The next reservation takes place, and its answer does not arrive.
    fn lose_next_reply(&self) -> Option<Answer<'_, ()>> {
        None
    }
}

/// An invariant that a store was seen to break.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// `S1` to `S7` as [`RangeStore`] lists them, `L1` to `L6` as
    /// [`LeaseStore`](crate::LeaseStore) does; `client`, `store id`, `record`, `list`, `keys` or
    /// `close` for what its methods say beside them.
    pub invariant: &'static str,
    /// What was asked and what came.
    pub what: String,
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
/// Dropping it leaves the keys it made, and a fault that was on stays on.
///
/// # Example
/// ```
/// use std::sync::Arc;
/// use mintid_stores::memory::MemoryStore;
/// use mintid_stores::contract::{Harness, verify};
/// use mintid_stores::{Answer, RangeStore};
///
/// struct Memory(MemoryStore);
///
/// impl Harness for Memory {
///     fn client(&self) -> Answer<'_, Arc<dyn RangeStore>> {
///         Box::pin(async { Ok(Arc::new(self.0.client()) as Arc<dyn RangeStore>) })
///     }
/// }
///
/// # tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime").block_on(async {
/// assert_eq!(verify(&Memory(MemoryStore::default())).await, Ok(()));
/// # });
/// ```
pub async fn verify(harness: &dyn Harness) -> Result<(), Vec<Broken>> {
    let broken = checks::all(harness).await;
    if broken.is_empty() {
        Ok(())
    } else {
        Err(broken)
    }
}

#[cfg(test)]
mod tests;
