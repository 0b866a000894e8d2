//! One generator of this process, shared by every handle on it.

use std::collections::VecDeque;
use std::sync::{Arc, Weak};
use std::time::Duration;

use mintid_core::options::{PolicyName, SegmentOptions, SegmentPlan};
use mintid_core::segment::{Attempt, Drawn, Enlisted, Need, SegmentBuffer, Waiter, Woken};
use mintid_core::{Code, Error, Key, Moment, Name, Namespace, Range, Result};
use mintid_stores::{Granted, Raise, Record, Reserve};
use parking_lot::Mutex;
use tokio::sync::oneshot;
use tokio::task::AbortHandle;

use crate::answer::judge;
use crate::event::{Event, What, emit};
use crate::refill;
use crate::runtime::runtime;
use crate::store::{OpenStore, Store};

/// How many reservations may be on their way after having been given up. The oldest is then let
/// go, and its range becomes a gap.
const MOST_UNANSWERED: usize = 8;

/// A caller that waits for the outcome of a refill.
pub(crate) struct Caller(oneshot::Sender<Result<()>>);

impl Waiter for Caller {
    fn is_gone(&self) -> bool {
        self.0.is_closed()
    }
}

/// A generator: its ids in memory, and the way to more of them.
pub(crate) struct Engine {
    pub(crate) key: Key,
    pub(crate) buffer: SegmentBuffer<Caller>,
    pub(crate) store: Arc<Store>,
    /// Made at first use: most generators of a large application are idle.
    background: Mutex<Option<Box<Background>>>,
    /// A fork without exec copies the ids in memory: the copy drops them.
    pid: Mutex<u32>,
}

/// What is remembered for those who ask how a generator is.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct History {
    /// How long the last reservation took.
    pub(crate) last_refill_ms: Option<u64>,
    /// Whether the last reservation failed.
    pub(crate) failing: bool,
    /// Whether listeners know that the end is near.
    near_end: bool,
}

/// What runs in the background for a generator, and what is known of it.
#[derive(Default)]
struct Background {
    history: History,
    refill: Option<AbortHandle>,
    /// The reservation that the refill waits for.
    attempt: Option<AbortHandle>,
    unanswered: VecDeque<AbortHandle>,
    /// How often the store had been connected when the last reservation failed because it was
    /// away. Once it has been connected again there is nothing left to wait for.
    away_since: Option<u64>,
}

/// What the handles of a generator share. The engine closes when the last one lets go of it;
/// background tasks hold the engine alone and so keep nothing open.
pub(crate) struct Open {
    pub(crate) engine: Arc<Engine>,
    store: Arc<OpenStore>,
}

impl Open {
    /// The generator of `name`: the one in use, or a new one.
    ///
    /// # Errors
    /// `CONFIG_INVALID` for options out of bounds, or different from those in use.
    pub(crate) fn segment(
        store: &Arc<OpenStore>,
        namespace: &Namespace,
        name: &Name,
        options: &SegmentOptions,
        default: PolicyName,
    ) -> Result<Arc<Self>> {
        let key = namespace.segment_key(name);
        // Outlives the lock: dropping a last handle takes it.
        let in_use;
        {
            // Held throughout: two callers at once get one engine.
            let mut generators = store.generators.lock();
            in_use = generators.get(&key).and_then(Weak::upgrade);
            if in_use.is_none() {
                let engine = Engine::new(
                    key.clone(),
                    options.plan_by(default)?,
                    Arc::clone(&store.store),
                );
                let open = Arc::new(Self {
                    engine: Arc::new(engine),
                    store: Arc::clone(store),
                });
                generators.insert(key, Arc::downgrade(&open));
                return Ok(open);
            }
        }
        let open = in_use.expect("the other case has returned");
        open.engine.buffer.plan().admit(options)?;
        Ok(open)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        let engine = &self.engine;
        engine.close();
        let mut generators = self.store.generators.lock();
        // Another handle may have opened the generator anew by now.
        if generators
            .get(&engine.key)
            .is_some_and(|open| open.strong_count() == 0)
        {
            generators.remove(&engine.key);
        }
    }
}

impl Engine {
    fn new(key: Key, plan: SegmentPlan, store: Arc<Store>) -> Self {
        Self {
            key,
            buffer: SegmentBuffer::new(plan),
            store,
            background: Mutex::default(),
            pid: Mutex::new(std::process::id()),
        }
    }

    pub(crate) fn now(&self) -> Moment {
        self.store.timer.now()
    }

    pub(crate) fn reserve_timeout(&self) -> Duration {
        self.buffer.plan().reserve_timeout
    }

    /// Up to `n` ids from memory, in one run.
    pub(crate) fn draw(self: &Arc<Self>, n: u32) -> Option<Range> {
        self.serve(self.buffer.draw(n, &*self.store.timer))
    }

    /// The next id, from memory.
    #[inline]
    pub(crate) fn draw_one(self: &Arc<Self>) -> Option<u64> {
        let drawn = self.buffer.draw_one(&*self.store.timer);
        if drawn.wants_refill {
            self.want_refill();
        }
        drawn.id
    }

    /// Starts the refill that a draw calls for.
    pub(crate) fn serve(self: &Arc<Self>, drawn: Drawn) -> Option<Range> {
        if drawn.wants_refill {
            self.want_refill();
        }
        drawn.range
    }

    #[cold]
    pub(crate) fn want_refill(self: &Arc<Self>) {
        self.forget_after_fork();
        if self.buffer.want() {
            self.start_refill();
        }
    }

    fn start_refill(self: &Arc<Self>) {
        let task = runtime().spawn(refill::run(Arc::clone(self)));
        self.background(|background| background.refill = Some(task.abort_handle()));
    }

    /// What a forked process holds, its parent holds too.
    pub(crate) fn forget_after_fork(&self) {
        let mut pid = self.pid.lock();
        let here = std::process::id();
        if *pid != here {
            *pid = here;
            self.buffer.drop_all();
        }
    }

    /// Waits until `need` may be met; `false` if `deadline` passes first.
    ///
    /// # Errors
    /// The refill's failure, or `CLOSED`.
    ///
    /// # Cancel safety
    /// Nothing is drawn here, so nothing is lost.
    pub(crate) async fn wait(self: &Arc<Self>, need: Need, deadline: Moment) -> Result<bool> {
        self.forgive_if_back();
        let (sender, outcome) = oneshot::channel();
        match self.buffer.enlist(Caller(sender), need, self.now())? {
            Enlisted::LookAgain => return Ok(true),
            Enlisted::Waits { start_task } => {
                if start_task {
                    self.start_refill();
                }
            }
        }
        tokio::select! {
            // An outcome that came together with the end of the time still counts.
            biased;
            outcome = outcome => outcome.unwrap_or_else(|_| Err(self.closed())).map(|()| true),
            () = self.store.timer.sleep_until(deadline) => Ok(false),
        }
    }

    /// What a caller is told whose time of `limit` is up.
    pub(crate) fn timed_out(&self, limit: Duration) -> Error {
        Error::TimedOut {
            name: self.key.to_string(),
            limit_ms: limit.as_millis().try_into().unwrap_or(u64::MAX),
            trouble: self.store.ranges.trouble().map(Arc::new),
        }
    }

    fn closed(&self) -> Error {
        Error::Closed {
            name: self.key.to_string(),
        }
    }

    /// Ends the back-off if the store, which was away, is back.
    pub(crate) fn forgive_if_back(&self) {
        let away_since = self.background(|background| background.away_since);
        if away_since.is_some_and(|seen| self.store.ranges.connections() > seen) {
            self.background(|background| background.away_since = None);
            self.buffer.retry_now();
        }
    }

    /// Waits until `moment`, or until the store, which was away, is back.
    pub(crate) async fn hold_back(&self, moment: Moment) {
        let Some(seen) = self.background(|background| background.away_since) else {
            return self.store.timer.sleep_until(moment).await;
        };
        tokio::select! {
            () = self.store.timer.sleep_until(moment) => {}
            Ok(()) = self.store.ranges.reconnected(seen) => self.forgive_if_back(),
        }
    }

    pub(crate) fn history(&self) -> History {
        self.background(|background| background.history)
    }

    /// The request for the next `size` ids, with all that this process knows of the store.
    fn request(&self, size: u64) -> Reserve {
        let plan = self.buffer.plan();
        let (floor, store_id) = self.store.seen.recall(&self.key);
        let ids = &self.store.plan;
        let jump = ids.jump(plan, size);
        Reserve {
            key: self.key.clone(),
            size,
            initial_offset: plan.initial_offset,
            max: plan.max,
            floor,
            raise_to: floor
                .filter(|_| ids.repair)
                .map(|floor| floor.saturating_add(leap(jump))),
            jump,
            may_create: ids.allow_create,
            store_id,
            record: Record::Segment,
            patience: plan.reserve_timeout,
        }
    }

    /// Reserves `size` ids, checks the answer, and remembers what was granted.
    pub(crate) async fn reserve(&self, size: u64) -> Result<Range> {
        let request = self.request(size);
        let sent = self.now();
        let answer = self.store.ranges.reserve(request.clone()).await;
        let judged = answer.and_then(|granted| {
            let range = judge(self.store.ranges.name(), &request, &granted)?;
            Ok((range, granted))
        });
        self.report(&request, &judged, self.now() - sent);
        let (range, granted) = judged?;
        let last = range.last();
        self.store.seen.note(&self.key, last, granted.store_id);
        Ok(range)
    }

    /// Brings an answer in and tells everybody who waited for it.
    pub(crate) fn finish(&self, attempt: &Attempt, answer: Result<Range>) {
        let woken = self.buffer.finish(attempt, answer, self.now());
        if let Err(error) = &woken.outcome {
            self.report_failure(error);
        }
        self.tell(woken);
    }

    pub(crate) fn tell(&self, woken: Woken<Caller>) {
        let outcome = woken
            .outcome
            .map_err(|error| error.for_caller(self.key.as_str()));
        for Caller(sender) in woken.waiters {
            // A caller that has gone away needs no answer.
            drop(sender.send(outcome.clone()));
        }
    }

    /// Keeps hold of the reservation that the refill waits for.
    pub(crate) fn hold_attempt(&self, reservation: AbortHandle) {
        self.background(|background| background.attempt = Some(reservation));
    }

    /// Keeps count of a reservation that was given up and may still be answered.
    pub(crate) fn leave_unanswered(&self, reservation: AbortHandle) {
        self.background(|background| {
            let unanswered = &mut background.unanswered;
            unanswered.retain(|task| !task.is_finished());
            unanswered.push_back(reservation);
            if unanswered.len() > MOST_UNANSWERED
                && let Some(oldest) = unanswered.pop_front()
            {
                oldest.abort();
            }
        });
    }

    fn background<R>(&self, work: impl FnOnce(&mut Background) -> R) -> R {
        work(self.background.lock().get_or_insert_default())
    }

    fn emit(&self, what: impl FnOnce() -> What) {
        emit(|| Event {
            generator: self.buffer.number(),
            key: self.key.to_string(),
            store: self.store.ranges.name().to_owned(),
            what: what(),
        });
    }

    /// Tells listeners what a reservation brought to light.
    fn report(&self, request: &Reserve, answer: &Result<(Range, Granted)>, elapsed: Duration) {
        let (range, granted) = match answer {
            Ok((range, granted)) => (*range, granted),
            Err(error @ Error::StoreWentBack { .. }) => {
                let message = error.to_string();
                return self.emit(|| What::StoreWentBack { message });
            }
            Err(_) => return,
        };
        let elapsed_ms = u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX);
        self.background(|background| {
            background.history.last_refill_ms = Some(elapsed_ms);
            background.history.failing = false;
            background.away_since = None;
        });
        if let Some(Raise { from, to }) = granted.raised {
            self.emit(|| What::StoreWentBack {
                message: format!("\"{}\" stood at {from} and was raised to {to}", self.key),
            });
            let reason = "the store went back";
            self.emit(|| What::Jumped { from, to, reason });
        }
        if let Some(Raise { from, to }) = granted.jumped {
            let reason = "the server restarted or another took its place";
            self.emit(|| What::Jumped { from, to, reason });
        }
        if granted.created {
            let new_store = granted.new_store;
            self.emit(|| What::Created { new_store });
        }
        let (last, max) = (range.last(), request.max);
        // Four fifths, without a product that could wrap.
        let tell_once = |background: &mut Background| {
            !std::mem::replace(&mut background.history.near_end, true)
        };
        if last >= max - max / 5 && self.background(tell_once) {
            self.emit(|| What::NearEnd { last, max });
        }
        self.emit(|| What::Refill { range, elapsed_ms });
    }

    pub(crate) fn report_failure(&self, error: &Error) {
        let is_away = error.root().code() == Code::StoreUnavailable;
        let away_since = is_away.then(|| self.store.ranges.connections());
        self.background(|background| {
            background.history.failing = true;
            background.away_since = away_since;
        });
        let error = error.clone();
        self.emit(|| What::RefillFailed { error });
    }

    /// Drops the ids in memory, tells every waiter, and stops what runs for the generator.
    pub(crate) fn close(&self) {
        self.emit(|| What::Closed);
        self.tell(self.buffer.close(self.closed()));
        let Some(background) = self.background.lock().take() else {
            return;
        };
        let tasks = background.refill.into_iter().chain(background.attempt);
        for task in tasks.chain(background.unanswered) {
            task.abort();
        }
    }
}

/// Between one jump and two, at random: two processes that repair one loss by leaps of one length
/// may land on the same id.
fn leap(jump: u64) -> u64 {
    fastrand::u64(jump..jump.saturating_mul(2).max(jump + 1))
}
