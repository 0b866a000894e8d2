//! The handle that users hold.

use std::sync::Arc;
use std::time::Duration;

use mintid_core::options::{OptionSpec, Scope, Shown};
use mintid_core::segment::Stats;
use mintid_core::{Error, Key, Moment, Range, Result};

use crate::engine::{Engine, Open};
use crate::ids::Health;
use crate::{refill, waiting};

/// A handle on a dense counter.
///
/// Cheap to clone; every handle of one name in the process serves the same ids. The ids in memory
/// are given up when the last handle is dropped, and whoever waits then is told `CLOSED`: the
/// futures of [`ready`](Self::ready) and [`next_range`](Self::next_range) keep nothing open.
///
/// ```
/// # mintid::runtime().block_on(async {
/// let ids = mintid::Ids::new("memory:")?;
/// let orders = ids.segment("orders")?;
/// orders.ready(1).await?;
/// assert_eq!(orders.try_next(), Some(1));
/// # Ok::<(), mintid::Error>(())
/// # }).unwrap();
/// ```
#[derive(Clone)]
pub struct SegmentGenerator {
    open: Arc<Open>,
}

impl SegmentGenerator {
    pub(crate) fn new(open: Arc<Open>) -> Self {
        Self { open }
    }

    pub(crate) fn engine(&self) -> &Arc<Engine> {
        &self.open.engine
    }

    /// A number that no other generator of this process has, unless it was made by another copy of
    /// this library: see [`copy_id`](crate::copy_id).
    pub fn number(&self) -> u64 {
        self.engine().buffer.number()
    }

    /// What the store remembers the counter under.
    pub fn key(&self) -> &Key {
        &self.engine().key
    }

    /// The next id, from memory, or after a refill.
    ///
    /// Ids grow from call to call of one caller. Waits at most `reserve_timeout` in all.
    ///
    /// # Errors
    /// `RANGE_UNAVAILABLE` when none came in time or the store failed, and at once while a failed
    /// refill is not yet tried again; `STORE_WENT_BACK`; final errors of the counter.
    ///
    /// # Cancel safety
    /// A call that is dropped has drawn nothing.
    pub async fn next(&self) -> Result<u64> {
        match self.engine().draw_one() {
            Some(id) => Ok(id),
            None => Ok(waiting::draw(self.engine(), 1).await?.start),
        }
    }

    /// The next id, if there is one in memory; otherwise starts a refill.
    #[inline]
    pub fn try_next(&self) -> Option<u64> {
        let id = self.engine().draw_one();
        if id.is_none() {
            self.engine().want_refill();
        }
        id
    }

    /// The next `n` ids, in growing order, not always without gaps.
    ///
    /// # Errors
    /// As for [`next`](Self::next), and `CONFIG_INVALID` for an `n` of 0 or more than 2^24. What
    /// was drawn before a failure is lost.
    ///
    /// # Cancel safety
    /// The ids that a dropped call has drawn are lost, never given twice.
    pub async fn next_batch(&self, n: u32) -> Result<Vec<u64>> {
        OptionSpec::of(Scope::Call, "n").check(n.into())?;
        let mut batch = Batch {
            engine: self.engine(),
            ids: Vec::with_capacity(n as usize),
        };
        while batch.ids.len() < n as usize {
            let missing = n - u32::try_from(batch.ids.len()).expect("it is shorter than n");
            let range = match self.engine().draw(missing) {
                Some(range) => range,
                None => waiting::draw(self.engine(), missing).await?,
            };
            batch.ids.extend(range.start..range.end);
        }
        Ok(batch.take())
    }

    /// Starts a refill, if none is under way: for a caller that found nothing and does not wait.
    pub fn want_refill(&self) {
        self.engine().want_refill();
    }

    /// Fills `out` with ids from memory, as far as they go; returns how many.
    pub fn try_fill(&self, out: &mut [u64]) -> usize {
        let mut filled = 0;
        while let Some(rest) = out.get_mut(filled..).filter(|rest| !rest.is_empty()) {
            let n = u32::try_from(rest.len()).unwrap_or(u32::MAX);
            let Some(range) = self.engine().draw(n) else {
                break;
            };
            filled += range.write_to(rest);
        }
        filled
    }

    /// `size` ids in one run, reserved for this call alone: for bulk loads.
    ///
    /// One round trip; the run lies above what is in memory at this moment, so its ids are higher
    /// than those that [`next`](Self::next) gives for a while.
    ///
    /// # Errors
    /// As for [`next`](Self::next), and `CONFIG_INVALID` for a `size` of 0 or more than 2^48.
    ///
    /// # Cancel safety
    /// The range of a dropped call may be lost.
    pub fn next_range(&self, size: u64) -> impl Future<Output = Result<Range>> + Send + use<> {
        let engine = Arc::clone(self.engine());
        async move {
            OptionSpec::of(Scope::Call, "size").check(size)?;
            refill::direct(&engine, size).await
        }
    }

    /// Waits until `count` ids are in memory, beside those that `keep` asks for.
    ///
    /// # Errors
    /// `STORE_UNAVAILABLE` if they did not come within `reserve_timeout`, final errors of the
    /// counter, and `CONFIG_INVALID` for a count that the policy cannot hold.
    ///
    /// # Cancel safety
    /// Nothing is lost.
    pub fn ready(&self, count: u64) -> impl Future<Output = Result<()>> + Send + use<> {
        let engine = Arc::clone(self.engine());
        async move {
            OptionSpec::of(Scope::Call, "count").check(count)?;
            waiting::ready(&engine, count).await
        }
    }

    /// How long a caller waits.
    pub fn reserve_timeout(&self) -> Duration {
        self.engine().reserve_timeout()
    }

    /// What a caller is told who has waited for `limit` in vain.
    pub fn timed_out(&self, limit: Duration) -> Error {
        self.engine().timed_out(limit)
    }

    /// How long a segment may be held.
    pub fn range_ttl(&self) -> Option<Duration> {
        self.engine().buffer.plan().range_ttl
    }

    /// The present on the clock that it goes by.
    pub fn now(&self) -> Moment {
        self.engine().now()
    }

    /// Whether that clock is moved by hand.
    pub fn has_manual_clock(&self) -> bool {
        self.engine().store.timer.is_manual()
    }

    /// The options in force.
    pub fn describe(&self) -> Vec<(&'static OptionSpec, Shown)> {
        self.engine().buffer.plan().describe()
    }

    /// How it is.
    pub fn health(&self) -> Health {
        let history = self.engine().history();
        Health {
            key: self.key().to_string(),
            remaining: self.stats().remaining,
            last_refill_ms: history.last_refill_ms,
            is_failing: history.failing,
        }
    }

    /// What has been done so far.
    pub fn stats(&self) -> Stats {
        self.engine().buffer.stats(self.engine().now())
    }

    pub(crate) fn draw_block(&self, room: u32, used: u64) -> (Option<Range>, Option<Moment>) {
        let engine = self.engine();
        engine.forget_after_fork();
        let drawn = engine.buffer.draw_block(room, used, &*engine.store.timer);
        (engine.serve(drawn), drawn.expires)
    }

    pub(crate) fn report(&self, used: u64) {
        self.engine().buffer.report(used, self.engine().now());
    }

    pub(crate) fn lose_block(&self, ids: u64) {
        self.engine().buffer.lose_block(ids);
    }

    pub(crate) fn waste(&self, ids: u64) {
        self.engine().buffer.waste(ids);
    }
}

/// The ids of a batch until it is whole: dropped before that, they are counted as lost.
struct Batch<'a> {
    engine: &'a Engine,
    ids: Vec<u64>,
}

impl Batch<'_> {
    fn take(mut self) -> Vec<u64> {
        std::mem::take(&mut self.ids)
    }
}

impl Drop for Batch<'_> {
    fn drop(&mut self) {
        if !self.ids.is_empty() {
            self.engine.buffer.waste(self.ids.len() as u64);
        }
    }
}
