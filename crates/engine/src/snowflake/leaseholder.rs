//! The lease that all Snowflake generators of a process share on one store and namespace.
//!
//! **Invariant.** Ids are drawn from a tenure alone, which is made after a claim of its own and a
//! renewal by the same token were answered, and begins above everything that the former holder of
//! its number may have used and above everything that this process has minted under any number.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use mintid_core::lease::{LeaseState, Loss};
use mintid_core::options::{SnowflakeOptions, SnowflakePlan};
use mintid_core::snowflake::{Draw, Tenure};
use mintid_core::{Error, Moment, Namespace, Result};
use mintid_stores::{LeaseScope, Owner, Release};
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::task::AbortHandle;

use super::keeper;
use super::refusal::{Refusal, Why};
use super::stats::{SnowflakeStats, Tally};
use crate::event::{Event, What, emit};
use crate::runtime::runtime;
use crate::store::{OpenStore, Store};

/// Leases are numbered beside the generators of segments, which count up from 1.
static NUMBERS: AtomicU64 = AtomicU64::new(1 << 48);

/// How long giving a number back may take.
const RELEASE_LIMIT: Duration = Duration::from_secs(1);

/// What the handles on a lease share. The number is given back when the last one lets go.
pub(crate) struct OpenLease {
    pub(crate) holder: Arc<Leaseholder>,
    store: Arc<OpenStore>,
}

/// The machine number of this process, and the way to it.
pub(crate) struct Leaseholder {
    number: u64,
    pub(super) scope: LeaseScope,
    pub(super) plan: SnowflakePlan,
    pub(super) store: Arc<Store>,
    /// What ids are drawn from; nothing while no number is held.
    tenure: ArcSwapOption<Tenure>,
    life: Mutex<Life>,
    /// Told of whatever a caller may wait for.
    news: watch::Sender<u64>,
    keeper: Mutex<Option<AbortHandle>>,
    pub(super) tally: Tally,
}

/// The life of the lease, as far as it is written down.
pub(super) struct Life {
    pub(super) state: LeaseState,
    /// The claim behind the number that is held, or is about to be.
    pub(super) claim: Option<HeldClaim>,
    /// The highest tick that was minted under any number.
    last_tick: Option<u64>,
    /// Whether listeners know that the clock is behind.
    is_behind_told: bool,
    /// A fork without exec copies the tenure: the copy ends its own.
    pid: u32,
}

/// A claim that was answered.
#[derive(Debug, Clone)]
pub(super) struct HeldClaim {
    pub(super) owner: Owner,
    pub(super) machine: u32,
    pub(super) former_ceiling_ms: u64,
    /// The highest time that may be used, as the last answer had it.
    pub(super) ceiling_ms: u64,
    /// Whether the former ceiling is that of a table which may have forgotten something.
    pub(super) waits_for_table: bool,
    /// Whether a renewal by the same token was answered.
    pub(super) is_confirmed: bool,
}

impl OpenLease {
    /// The lease of `namespace`: the one in use, or a new one that is claimed at first use.
    ///
    /// # Errors
    /// `CONFIG_INVALID` for options out of bounds or different from those in use, and for a store
    /// that has no leases.
    pub(crate) fn of(
        store: &Arc<OpenStore>,
        namespace: &Namespace,
        options: &SnowflakeOptions,
    ) -> Result<Arc<Self>> {
        let scope = LeaseScope::new(namespace);
        // Outlives the lock: dropping a last handle takes it.
        let in_use;
        {
            // Held throughout: two callers at once get one lease.
            let mut leases = store.leases.lock();
            in_use = leases.get(&scope).and_then(Weak::upgrade);
            if in_use.is_none() {
                let plan = options.plan(store.store.timer.unix_ms())?;
                store.store.leases()?;
                let open = Arc::new(Self {
                    holder: Arc::new(Leaseholder::new(
                        scope.clone(),
                        plan,
                        Arc::clone(&store.store),
                    )),
                    store: Arc::clone(store),
                });
                leases.insert(scope, Arc::downgrade(&open));
                return Ok(open);
            }
        }
        let open = in_use.expect("the other case has returned");
        open.holder.plan.admit(options)?;
        Ok(open)
    }
}

impl Drop for OpenLease {
    fn drop(&mut self) {
        self.holder.close();
        let mut leases = self.store.leases.lock();
        // Another handle may have opened the lease anew by now.
        if leases
            .get(&self.holder.scope)
            .is_some_and(|open| open.strong_count() == 0)
        {
            leases.remove(&self.holder.scope);
        }
    }
}

impl Leaseholder {
    fn new(scope: LeaseScope, plan: SnowflakePlan, store: Arc<Store>) -> Self {
        let state = LeaseState::new(
            scope.to_string(),
            plan.lease,
            plan.machines,
            store.timer.now(),
        );
        Self {
            number: NUMBERS.fetch_add(1, Ordering::Relaxed),
            tenure: ArcSwapOption::empty(),
            life: Mutex::new(Life {
                state,
                claim: None,
                last_tick: store.seen.last_tick(&scope),
                is_behind_told: false,
                pid: std::process::id(),
            }),
            news: watch::Sender::new(0),
            keeper: Mutex::default(),
            tally: Tally::default(),
            scope,
            plan,
            store,
        }
    }

    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    pub(super) fn now(&self) -> Moment {
        self.store.timer.now()
    }

    pub(super) fn unix_ms(&self) -> u64 {
        self.store.timer.unix_ms()
    }

    pub(super) fn life<R>(&self, work: impl FnOnce(&mut Life) -> R) -> R {
        work(&mut self.life.lock())
    }

    /// Up to `n` ids of the present tick, in one run: the first, and how many.
    #[inline]
    pub(crate) fn draw(self: &Arc<Self>, n: u32) -> std::result::Result<(u64, u32), Refusal> {
        if let Some(tenure) = &*self.tenure.load()
            && let Draw::Ids { first, count, .. } = tenure.draw(n, || self.unix_ms())
        {
            self.tally.drew(count);
            return Ok((first, count));
        }
        self.draw_again(n)
    }

    /// The same for whoever got nothing: with the reason, unless there is something by now.
    #[cold]
    fn draw_again(self: &Arc<Self>, n: u32) -> std::result::Result<(u64, u32), Refusal> {
        self.start();
        let Some(tenure) = self.tenure() else {
            return Err(self.without_lease());
        };
        match tenure.draw(n, || self.unix_ms()) {
            Draw::Ids { first, count, .. } => {
                self.tally.drew(count);
                self.life(|life| life.is_behind_told = false);
                Ok((first, count))
            }
            Draw::Full { until_ms } => Err(self.full(until_ms)),
            Draw::Behind { clock_ms, last_ms } => Err(self.behind(clock_ms, last_ms)),
            Draw::BeforeEpoch => Err(self.behind(self.unix_ms(), self.plan.layout.first_ms(0))),
            Draw::Ceiling { ceiling_ms } => Err(self.past_ceiling(&tenure, ceiling_ms)),
            Draw::Ended => Err(self.without_lease()),
            Draw::Exhausted => Err(Refusal::failed(Error::TimestampExhausted {
                layout: self.plan.layout.record(),
                ended_ms: self.plan.layout.ends_at(),
            })),
        }
    }

    /// The tenure in force; one whose time has come is made of the claim that is held.
    fn tenure(&self) -> Option<Arc<Tenure>> {
        if let Some(tenure) = self.tenure.load_full() {
            return Some(tenure);
        }
        self.life(|life| self.install(life))
    }

    /// Makes a tenure of a confirmed claim, once the clock is above what others may have used.
    pub(super) fn install(&self, life: &mut Life) -> Option<Arc<Tenure>> {
        // Another caller may have been faster.
        if let Some(tenure) = self.tenure.load_full() {
            return Some(tenure);
        }
        let claim = life.claim.as_ref().filter(|claim| claim.is_confirmed)?;
        if !life.state.is_held(self.now()) || self.unix_ms() <= claim.former_ceiling_ms {
            return None;
        }
        let above_former = self.plan.layout.first_tick_above(claim.former_ceiling_ms);
        let above_own = life.last_tick.map_or(0, |tick| tick + 1);
        let tenure = Arc::new(Tenure::new(
            self.plan.layout,
            claim.machine,
            above_former.max(above_own),
            claim.ceiling_ms,
        ));
        self.tenure.store(Some(Arc::clone(&tenure)));
        self.tally.leased();
        let machine = claim.machine;
        self.emit(|| What::LeaseAcquired { machine });
        self.tell();
        Some(tenure)
    }

    /// Why no id can be had at all, for lack of a number; nothing while one is held.
    pub(super) fn draw_is_refused(&self) -> Option<Refusal> {
        self.tenure().is_none().then(|| self.without_lease())
    }

    /// What makes waiting for a number useless.
    pub(super) fn verdict(&self) -> Option<Error> {
        self.life(|life| life.state.verdict(self.now()))
    }

    /// Raises the ceiling of the tenure, if there is one.
    pub(super) fn raise_ceiling(&self, ceiling_ms: u64) {
        if let Some(tenure) = &*self.tenure.load() {
            tenure.raise_ceiling(ceiling_ms);
        }
    }

    /// Ends the tenure, and remembers how far it came. The highest ms that it used, or 0.
    fn end_tenure(&self, life: &mut Life) -> u64 {
        let Some(tenure) = self.tenure.swap(None) else {
            return 0;
        };
        let Some(tick) = tenure.end() else {
            return 0;
        };
        life.last_tick = life.last_tick.max(Some(tick));
        self.store.seen.note_tick(&self.scope, tick);
        self.plan.layout.last_ms(tick)
    }

    fn full(&self, until_ms: u64) -> Refusal {
        let wait_ms = until_ms.saturating_sub(self.unix_ms());
        Refusal {
            why: Why::Full(Duration::from_millis(wait_ms)),
            error: Error::TickFull {
                scope: self.scope.to_string(),
            },
        }
    }

    fn behind(&self, clock_ms: u64, last_ms: u64) -> Refusal {
        let back = Duration::from_millis(last_ms.saturating_sub(clock_ms));
        let limit = self.plan.clock_backwards_max;
        let error = Error::ClockBackwards {
            clock_ms,
            last_ms,
            limit_ms: u64::try_from(limit.as_millis()).unwrap_or(u64::MAX),
        };
        if back <= limit {
            return Refusal {
                why: Why::Behind(back),
                error,
            };
        }
        let is_told = self.life(|life| std::mem::replace(&mut life.is_behind_told, true));
        if !is_told {
            let message = error.to_string();
            self.emit(|| What::ClockBackwards { message });
        }
        Refusal::failed(error)
    }

    /// No id can be had beyond the ceiling: the lease was not renewed in time, or the clock is
    /// ahead of the store's.
    fn past_ceiling(&self, tenure: &Tenure, ceiling_ms: u64) -> Refusal {
        let now = self.now();
        let clock_ms = self.unix_ms();
        let (is_held, store_ms) =
            self.life(|life| (life.state.is_held(now), life.state.store_now_ms(now)));
        if is_held && let Some(store_ms) = store_ms {
            return Refusal::failed(Error::ClockOff {
                store: self.store.ranges.name().to_owned(),
                clock_ms,
                store_ms,
                limit_ms: ceiling_ms.saturating_sub(store_ms),
            });
        }
        // The keeper sees it too, as soon as it runs.
        self.tell();
        Refusal::failed(Error::LeaseLost {
            scope: self.scope.to_string(),
            machine: tenure.machine(),
            reason: Loss::Expired.to_string(),
            trouble: self.store.ranges.trouble().map(Arc::new),
        })
    }

    /// What a caller is told while no number is held.
    pub(super) fn without_lease(&self) -> Refusal {
        let error = self.life(|life| match &life.claim {
            Some(claim) if claim.is_confirmed && life.state.is_held(self.now()) => {
                Error::LeasePending {
                    scope: self.scope.to_string(),
                    until_ms: claim.waits_for_table.then_some(claim.former_ceiling_ms),
                }
            }
            _ => life.state.refusal(),
        });
        let is_lost = matches!(error, Error::LeaseLost { .. } | Error::Closed { .. });
        if is_lost || !error.is_retryable() {
            return Refusal::failed(error);
        }
        Refusal {
            why: Why::NoLease,
            error,
        }
    }

    /// Starts the task that claims and renews, unless it is there.
    pub(crate) fn start(self: &Arc<Self>) {
        self.forget_after_fork();
        let mut keeper = self.keeper.lock();
        if keeper.is_none() {
            let task = runtime().spawn(keeper::keep(Arc::downgrade(self)));
            *keeper = Some(task.abort_handle());
        }
    }

    /// Waits for news, if there are none since `seen`.
    pub(super) fn subscribe(&self) -> watch::Receiver<u64> {
        self.news.subscribe()
    }

    /// Tells whoever waits that something has changed.
    pub(super) fn tell(&self) {
        self.news.send_modify(|count| *count += 1);
    }

    /// What a forked process holds, its parent holds too.
    fn forget_after_fork(&self) {
        let here = std::process::id();
        let is_copy = self.life(|life| {
            if life.pid == here {
                return false;
            }
            life.pid = here;
            self.end_tenure(life);
            life.claim = None;
            life.state.lose(Loss::Forked, self.now());
            true
        });
        if is_copy {
            self.tell();
        }
    }

    /// Ends a number that is held no longer.
    pub(super) fn lost(&self, machine: u32, loss: &Loss) {
        self.life(|life| {
            self.end_tenure(life);
            life.claim = None;
        });
        self.tally.lost();
        let message = loss.to_string();
        self.emit(|| What::LeaseLost { machine, message });
        self.tell();
    }

    pub(crate) fn stats(&self) -> SnowflakeStats {
        self.tally.read()
    }

    /// The number that is held, and how long it lasts without a renewal.
    pub(crate) fn held(&self) -> Option<(u32, Duration)> {
        let tenure = self.tenure.load_full()?;
        let deadline = self.life(|life| life.state.held())?.1;
        Some((tenure.machine(), deadline - self.now()))
    }

    pub(super) fn emit(&self, what: impl FnOnce() -> What) {
        emit(|| Event {
            generator: self.number,
            key: self.scope.to_string(),
            store: self.store.ranges.name().to_owned(),
            what: what(),
        });
    }

    /// Ends the tenure and gives the number back.
    fn close(self: &Arc<Self>) {
        if let Some(keeper) = self.keeper.lock().take() {
            keeper.abort();
        }
        let release = self.life(|life| {
            let last_ms = self.end_tenure(life);
            let is_held = life.state.end();
            let claim = life.claim.take().filter(|_| is_held)?;
            Some(self.release_of(&claim, last_ms))
        });
        self.emit(|| What::Closed);
        self.tell();
        if let Some(release) = release {
            self.release(release);
        }
    }

    pub(super) fn release_of(&self, claim: &HeldClaim, last_ms: u64) -> Release {
        Release {
            scope: self.scope.clone(),
            owner: claim.owner.clone(),
            machine: claim.machine,
            last_ms,
            former_ceiling_ms: claim.former_ceiling_ms,
        }
    }

    /// Gives a number back, as far as that works: it comes free at its deadline anyway.
    pub(super) fn release(&self, release: Release) {
        let store = Arc::clone(&self.store);
        let work = async move {
            if let Ok(leases) = store.leases() {
                // Lost, it costs the number until its deadline.
                let _ = tokio::time::timeout(RELEASE_LIMIT, leases.release(release)).await;
            }
        };
        self.store.farewell(runtime().spawn(work));
    }
}
