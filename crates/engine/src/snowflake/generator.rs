use std::sync::Arc;
use std::time::Duration;

use mintid_core::options::{OptionSpec, Scope, Shown};
use mintid_core::snowflake::{Layout, Parts};
use mintid_core::{Error, Moment, Result};

use super::leaseholder::{Leaseholder, OpenLease};
use super::refusal::{Refusal, Why};
use super::stats::SnowflakeStats;

/// Ids from the clock, under a machine number that this process leases from the store.
///
/// Cheap to clone; a clone is the same generator. Generators of one store and namespace share the
/// number and the sequence, so their ids are unique across names. The number is given back when
/// the last of them is dropped.
#[derive(Clone)]
pub struct SnowflakeGenerator {
    name: Arc<str>,
    open: Arc<OpenLease>,
}

/// How the lease of a generator is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaseHealth {
    /// The machine number.
    pub machine: u32,
    /// How long it lasts without a renewal.
    pub remaining: Duration,
}

impl SnowflakeGenerator {
    pub(crate) fn new(name: &str, open: Arc<OpenLease>) -> Self {
        Self {
            name: name.into(),
            open,
        }
    }

    fn holder(&self) -> &Arc<Leaseholder> {
        &self.open.holder
    }

    /// The generator's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What the leases that it shares are kept under, and its events are told of.
    pub fn scope(&self) -> &str {
        self.holder().scope.as_str()
    }

    /// A number that no generator of segments and no other lease of this process has: that of the
    /// lease, which generators share.
    pub fn number(&self) -> u64 {
        self.holder().number()
    }

    /// The next id. Waits for a machine number, for the next tick where the present one is used
    /// up, and for a clock that went back a little.
    ///
    /// # Errors
    /// `LEASE_PENDING` if no number was had within `reserve_timeout`, `LEASE_LOST`,
    /// `CLOCK_BACKWARDS`, `TIMESTAMP_EXHAUSTED`, or what keeps a number from being claimed.
    ///
    /// # Cancel safety
    /// A call that is dropped has drawn nothing.
    pub async fn next(&self) -> Result<u64> {
        Ok(self.draw(1).await?.0)
    }

    /// The next `n` ids, in growing order.
    ///
    /// # Errors
    /// As for [`next`](Self::next), and `CONFIG_INVALID` for an `n` of 0 or more than 2^24.
    ///
    /// # Cancel safety
    /// The ids that a dropped call has drawn are lost, never given twice.
    pub async fn next_batch(&self, n: u32) -> Result<Vec<u64>> {
        OptionSpec::of(Scope::Call, "n").check(n.into())?;
        let mut ids = Vec::with_capacity(n as usize);
        while ids.len() < n as usize {
            let missing = n - u32::try_from(ids.len()).expect("it is shorter than n");
            let (first, count) = self.draw(missing).await?;
            ids.extend(first..first + u64::from(count));
        }
        Ok(ids)
    }

    /// The next id, if there is one at this moment.
    #[inline]
    pub fn try_next(&self) -> Option<u64> {
        self.try_draw(1).ok().map(|(first, _)| first)
    }

    /// Up to `n` ids of the present tick: the first of a run, and how many.
    ///
    /// # Errors
    /// Why there is none, and when there may be.
    #[inline]
    pub fn try_draw(&self, n: u32) -> std::result::Result<(u64, u32), Refusal> {
        self.holder().draw(n)
    }

    async fn draw(&self, n: u32) -> Result<(u64, u32)> {
        let holder = self.holder();
        let mut refusal = match holder.draw(n) {
            Ok(run) => return Ok(run),
            Err(refusal) => refusal,
        };
        holder.tally.waited(1);
        let deadline = holder.now() + holder.plan.reserve_timeout;
        loop {
            match refusal.why {
                Why::Failed => return Err(refusal.error),
                Why::NoLease => {
                    if !self.wait_for_lease(deadline).await? {
                        return Err(refusal.error);
                    }
                }
                Why::Full(wait) | Why::Behind(wait) => {
                    if holder.now() + wait > deadline {
                        return Err(refusal.error);
                    }
                    holder.store.timer.sleep_until(holder.now() + wait).await;
                }
            }
            refusal = match holder.draw(n) {
                Ok(run) => return Ok(run),
                Err(refusal) => refusal,
            };
        }
    }

    /// Waits until a number may be held; `false` once `deadline` has passed.
    ///
    /// # Errors
    /// What makes waiting useless.
    pub async fn wait_for_lease(&self, deadline: Moment) -> Result<bool> {
        let holder = self.holder();
        holder.start();
        loop {
            let mut news = holder.subscribe();
            match holder.draw_is_refused() {
                None => return Ok(true),
                Some(refusal) if refusal.why == Why::Failed => return Err(refusal.error),
                Some(_) => {}
            }
            tokio::select! {
                () = holder.store.timer.sleep_until(deadline) => return Ok(false),
                // The sender lives in the holder.
                _ = news.changed() => {}
            }
        }
    }

    /// Waits until a machine number is held, as long as it takes.
    ///
    /// # Errors
    /// What waiting does not help: `MACHINE_IDS_EXHAUSTED`, `LAYOUT_MISMATCH`, and whatever else
    /// is final.
    pub async fn ready(&self) -> Result<()> {
        let holder = self.holder();
        holder.start();
        loop {
            let mut news = holder.subscribe();
            match holder.draw_is_refused() {
                None => return Ok(()),
                Some(refusal) if refusal.error.code() == mintid_core::Code::Closed => {
                    return Err(refusal.error);
                }
                Some(_) => {}
            }
            if let Some(verdict) = holder.verdict() {
                return Err(verdict);
            }
            // The sender lives in the holder.
            let _ = news.changed().await;
        }
    }

    /// The machine number, while one is held.
    pub fn machine(&self) -> Option<u32> {
        self.holder().held().map(|(machine, _)| machine)
    }

    /// Which bits of an id hold what.
    pub fn layout(&self) -> &Layout {
        &self.holder().plan.layout
    }

    /// What an id was made of.
    ///
    /// # Errors
    /// `ID_INVALID` for a number that is no id of this layout.
    pub fn parse(&self, id: u64) -> Result<Parts> {
        self.layout().parse(id)
    }

    /// The options in force.
    pub fn describe(&self) -> Vec<(&'static OptionSpec, Shown)> {
        self.holder().plan.describe()
    }

    /// How long a caller waits.
    pub fn reserve_timeout(&self) -> Duration {
        self.holder().plan.reserve_timeout
    }

    /// The present on the clock that waiting goes by.
    pub fn now(&self) -> Moment {
        self.holder().now()
    }

    /// The time of day that ids are made of, in Unix ms.
    pub fn unix_ms(&self) -> u64 {
        self.holder().unix_ms()
    }

    /// Whether its clocks are moved by hand.
    pub fn has_manual_clock(&self) -> bool {
        self.holder().store.timer.is_manual()
    }

    /// Counts ids that were drawn and are not handed out.
    pub fn waste(&self, ids: u64) {
        self.holder().tally.wasted(ids);
    }

    /// Counts callers that had to wait.
    pub fn count_waits(&self, callers: u64) {
        self.holder().tally.waited(callers);
    }

    /// How the lease is; nothing while none is held.
    pub fn health(&self) -> Option<LeaseHealth> {
        let (machine, remaining) = self.holder().held()?;
        Some(LeaseHealth { machine, remaining })
    }

    /// What the generators of the lease have done so far.
    pub fn stats(&self) -> SnowflakeStats {
        self.holder().stats()
    }

    /// What a caller is told who has waited for `limit` in vain.
    pub fn refusal(&self) -> Option<Error> {
        self.holder().draw_is_refused().map(|refusal| refusal.error)
    }
}
