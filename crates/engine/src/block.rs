//! A binding's realm, as the engine sees it: it holds ids that were drawn for it and not yet
//! handed out.

use std::sync::Arc;
use std::time::Duration;

use mintid_core::Moment;
use mintid_core::segment::{Need, Stats};
use mintid_core::{Range, Result};
use parking_lot::Mutex;

use crate::generator::SegmentGenerator;
use crate::waiting;

/// A realm's hold on a generator: draws whole blocks, so that the realm can hand ids out without a
/// call, and keeps count of what it has not handed out.
///
/// When it is dropped, what it still holds is counted as lost.
pub struct Block {
    generator: SegmentGenerator,
    held: Mutex<Held>,
}

#[derive(Debug, Default)]
struct Held {
    ids: u64,
    expires: Option<Moment>,
}

impl Block {
    /// An empty block of `generator`.
    pub fn new(generator: SegmentGenerator) -> Self {
        Self {
            generator,
            held: Mutex::default(),
        }
    }

    /// The generator it draws from.
    pub fn generator(&self) -> &SegmentGenerator {
        &self.generator
    }

    /// Fills the front of `out` with ids of one segment, at most a quarter of it; returns how many.
    /// `used` ids were handed out since the last call. Starts a refill where one is due.
    pub fn refill(&self, out: &mut [u64], used: u64) -> usize {
        let room = u32::try_from(out.len()).unwrap_or(u32::MAX);
        let mut held = self.held.lock();
        let (range, expires) = self.generator.draw_block(room, used.min(held.ids));
        let taken = range.map_or(0, |range: Range| range.write_to(out));
        held.ids = held.ids.saturating_sub(used) + taken as u64;
        held.expires = expires;
        taken
    }

    /// When the ids of the last refill are too old to be handed out.
    pub fn expires(&self) -> Option<Moment> {
        self.held.lock().expires
    }

    /// Notes that `used` ids were handed out.
    pub fn report(&self, used: u64) {
        let mut held = self.held.lock();
        let used = used.min(held.ids);
        held.ids -= used;
        self.generator.report(used);
    }

    /// Gives up on `ids` of the block.
    pub fn lose(&self, ids: u64) {
        let mut held = self.held.lock();
        let ids = ids.min(held.ids);
        held.ids -= ids;
        self.generator.lose_block(ids);
    }

    /// Gives up on `ids` that [`SegmentGenerator::try_fill`] gave and nobody was handed.
    pub fn waste(&self, ids: u64) {
        self.generator.waste(ids);
    }

    /// Waits until ids may be in memory, for `callers` new ones that found none; `false` if `limit`
    /// passes first.
    ///
    /// # Errors
    /// As for [`SegmentGenerator::next`].
    ///
    /// # Cancel safety
    /// Nothing is drawn here, so nothing is lost.
    pub fn wait(
        &self,
        need: Need,
        callers: u64,
        limit: Duration,
    ) -> impl Future<Output = Result<bool>> + Send + use<> {
        let engine = Arc::clone(self.generator.engine());
        async move { waiting::look_again(&engine, need, callers, limit).await }
    }

    /// `work` on the generator, for a caller that waits no longer than `limit`.
    ///
    /// # Errors
    /// Those of `work`, and `RANGE_UNAVAILABLE` once `limit` has passed.
    pub fn within<T, W>(
        &self,
        limit: Duration,
        work: W,
    ) -> impl Future<Output = Result<T>> + Send + use<T, W>
    where
        W: Future<Output = Result<T>> + Send,
    {
        waiting::within(Arc::clone(self.generator.engine()), limit, work)
    }

    /// What has been done so far, by all realms.
    pub fn stats(&self) -> Stats {
        self.generator.stats()
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        let ids = self.held.get_mut().ids;
        if ids > 0 {
            self.generator.lose_block(ids);
        }
    }
}
