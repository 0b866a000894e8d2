//! What happens once per segment or less, and so may sit behind a lock.

use std::sync::Arc;
use std::time::Duration;

use super::buffered::Buffered;
use super::meter::Meter;
use super::refill::{Attempt, Enlisted, Need, Next, Refill, Waiter, Woken};
use super::{Grant, Segment, Stats};
use crate::clock::Moment;
use crate::error::{Code, Error, Result};
use crate::options::SegmentPlan;
use crate::range::Range;
use crate::step::{Holding, Measured, Used};

/// The state behind the lock of a [`SegmentBuffer`](super::SegmentBuffer).
#[derive(Debug)]
pub(super) struct Cold<W> {
    /// The segment being served: the same that the fast path sees.
    pub(super) current: Arc<Segment>,
    /// The segments behind it, in the order in which they were granted.
    buffered: Buffered,
    /// When the current segment became that, and when the one before it did.
    since: Moment,
    since_before: Moment,
    /// How many ids of the current segment were dropped.
    lost: u64,
    /// One past the highest id that was ever installed.
    newest_end: u64,
    /// The last segment used up, and the newest granted.
    used: Option<Used>,
    newest: Option<u64>,
    meter: Meter,
    refill: Refill,
    /// Who waits, and for how many ids.
    waiters: Vec<(W, u64)>,
    /// Why nothing will be reserved any more.
    end: Option<Error>,
    tally: Tally,
}

/// Counts that only grow, but for `held`.
#[derive(Debug, Default)]
struct Tally {
    reserved: u64,
    /// Granted, and never to be handed out.
    wasted: u64,
    /// In JavaScript's blocks, not yet handed out as far as is known here.
    held: u64,
    refills: u64,
    failures: u64,
    waits: u64,
}

impl<W: Waiter> Cold<W> {
    pub(super) fn new(current: Arc<Segment>) -> Self {
        Self {
            current,
            buffered: Buffered::default(),
            since: Moment::default(),
            since_before: Moment::default(),
            lost: 0,
            newest_end: 0,
            used: None,
            newest: None,
            meter: Meter::default(),
            refill: Refill::default(),
            waiters: Vec::new(),
            end: None,
            tally: Tally::default(),
        }
    }

    /// How many ids can be drawn without a refill.
    pub(super) fn at_hand(&self) -> u64 {
        self.current.cursor.left() + self.buffered.ids()
    }

    fn issued(&self) -> u64 {
        let Tally {
            reserved,
            wasted,
            held,
            ..
        } = self.tally;
        // A draw may be under way while this is summed up.
        reserved.saturating_sub(self.at_hand() + wasted + held)
    }

    fn measured(&self, now: Moment) -> Measured {
        Measured {
            rate: self.meter.rate(now, self.issued(), self.since_before),
            used: self.used,
            newest: self.newest,
        }
    }

    /// A refill starts when fewer than this are left of a current segment of `current` ids.
    fn level(&self, current: u64, plan: &SegmentPlan, measured: &Measured) -> u64 {
        let buffered = self.buffered.ids();
        let holding = Holding { current, buffered };
        plan.policy
            .level(holding, measured)
            .max(plan.keep.saturating_sub(buffered))
    }

    /// Whether fewer ids are at hand than the policy or `keep` wants, and there is room for more.
    fn is_short(&self, plan: &SegmentPlan, now: Moment) -> bool {
        if self.buffered.is_full() {
            return false;
        }
        let level = self.level(self.current.range.len(), plan, &self.measured(now));
        self.current.cursor.left() < level
    }

    /// Replaces the current segment by the one that waits behind it; `false` if there is none.
    pub(super) fn promote(&mut self, plan: &SegmentPlan, now: Moment) -> bool {
        self.drop_expired(now);
        if self.buffered.is_empty() {
            return false;
        }
        self.meter.record(now, self.issued());
        let size = self.current.range.len();
        if size > 0 {
            let elapsed = self.would_have_lasted(size, now - self.since);
            self.used = Some(Used { size, elapsed });
            self.since_before = self.since;
        } else {
            self.since_before = now;
        }
        self.since = now;
        self.lost = 0;
        // Before the next segment leaves its place, or its ids would count as handed out.
        let measured = self.measured(now);
        let Some(next) = self.buffered.pop() else {
            return false;
        };
        let level = self.level(next.range.len(), plan, &measured);
        self.current = Arc::new(Segment::new(next, level));
        true
    }

    /// How long `size` ids do at the pace of `elapsed`, in which some were dropped and not used.
    fn would_have_lasted(&self, size: u64, elapsed: Duration) -> Duration {
        if self.lost == 0 {
            return elapsed;
        }
        let used = size.saturating_sub(self.lost) as f64;
        let seconds = elapsed.as_secs_f64() * size as f64 / used;
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
    }

    /// Drops what has grown too old.
    pub(super) fn drop_expired(&mut self, now: Moment) {
        if self.current.expires.is_some_and(|expires| expires <= now) {
            self.exhaust(&Arc::clone(&self.current));
        }
        self.tally.wasted += self.buffered.drop_expired(now);
    }

    /// Drops what is left of `segment`: nothing, unless it is the current one.
    pub(super) fn exhaust(&mut self, segment: &Segment) {
        let ids = segment.cursor.exhaust();
        self.lost += ids;
        self.tally.wasted += ids;
    }

    /// Counts `ids` as never to be handed out.
    pub(super) fn waste(&mut self, ids: u64) {
        self.tally.wasted += ids;
    }

    /// Notes that a block gave out `used` of its ids and took `drawn` new ones; `true` if a refill
    /// is called for.
    pub(super) fn account(
        &mut self,
        used: u64,
        drawn: u64,
        plan: &SegmentPlan,
        now: Moment,
    ) -> bool {
        self.tally.held = self.tally.held.saturating_sub(used) + drawn;
        self.meter.record(now, self.issued());
        self.is_short(plan, now)
    }

    /// A block of `ids` is gone for good.
    pub(super) fn lose_block(&mut self, ids: u64) {
        self.tally.held = self.tally.held.saturating_sub(ids);
        self.tally.wasted += ids;
    }

    pub(super) fn want(&mut self) -> bool {
        self.end.is_none() && self.refill.want()
    }

    /// Registers a caller that found too few ids, unless there are enough by now.
    ///
    /// Ids arrive under the same lock, so none can slip in between the look and the registration.
    pub(super) fn enlist(&mut self, waiter: W, need: Need, now: Moment) -> Result<Enlisted> {
        if let Some(end) = &self.end {
            return Err(end.clone());
        }
        self.drop_expired(now);
        if self.at_hand() >= need.at_hand {
            return Ok(Enlisted::LookAgain);
        }
        if let Some(error) = self.refill.fails_fast(now) {
            return Err(error);
        }
        if self.waiters.len() == self.waiters.capacity() {
            // Before the list grows, those leave who have gone away.
            self.waiters.retain(|(waiter, _)| !waiter.is_gone());
        }
        self.waiters.push((waiter, need.missing));
        Ok(Enlisted::Waits {
            start_task: self.refill.want(),
        })
    }

    pub(super) fn count_waits(&mut self, callers: u64) {
        self.tally.waits += callers;
    }

    pub(super) fn next(&mut self, plan: &SegmentPlan, now: Moment) -> Next {
        if self.end.is_some() || !self.refill.wanted {
            self.refill.running = false;
            return Next::Rest;
        }
        if let Some(at) = self.refill.delayed_until(now) {
            return Next::Wait(at);
        }
        let size = self.size(plan, now);
        Next::Reserve(self.refill.start(size, now))
    }

    fn size(&self, plan: &SegmentPlan, now: Moment) -> u64 {
        let asked: u64 = self
            .waiters
            .iter()
            .filter(|(waiter, _)| !waiter.is_gone())
            .fold(0_u64, |sum, (_, asks)| sum.saturating_add(*asks))
            .max(plan.keep.saturating_sub(self.at_hand()));
        let size = plan
            .policy
            .size(&self.measured(now))
            .max(plan.policy.size_for(asked));
        self.refill.cap.map_or(size, |cap| size.min(cap))
    }

    /// Brings the answer to `attempt` in.
    pub(super) fn finish(
        &mut self,
        plan: &SegmentPlan,
        attempt: &Attempt,
        answer: Result<Range>,
        now: Moment,
    ) -> Woken<W> {
        let is_current = self.refill.land(attempt);
        match answer {
            Ok(range) => self.arrive(plan, attempt, range, now, is_current),
            Err(error) if is_current => self.fail(plan, attempt, error, now),
            // Those who waited for it have been told; new callers wait for another attempt.
            Err(_) => Woken::nobody(),
        }
    }

    fn arrive(
        &mut self,
        plan: &SegmentPlan,
        attempt: &Attempt,
        range: Range,
        now: Moment,
        is_current: bool,
    ) -> Woken<W> {
        self.tally.reserved += range.len();
        self.tally.refills += 1;
        let expires = plan.range_ttl.map(|ttl| attempt.sent + ttl);
        let grant = Grant { range, expires };
        if grant.is_expired(now) && is_current {
            self.tally.wasted += range.len();
            let age_ms = u64::try_from((now - attempt.sent).as_millis()).unwrap_or(u64::MAX);
            return self.fail(plan, attempt, Error::RangeStale { range, age_ms }, now);
        }
        let is_usable = self.end.is_none()
            && range.start >= self.newest_end
            && !self.buffered.is_full()
            && !grant.is_expired(now);
        if !is_usable {
            // A late answer below the newest segment, or one that came after the end.
            self.tally.wasted += range.len();
            return self.wake(Ok(()));
        }
        self.newest_end = range.end;
        self.newest = Some(range.len());
        self.buffered.push(grant);
        if self.current.cursor.left() == 0 {
            self.promote(plan, now);
        }
        if is_current {
            self.refill.succeeded();
            self.refill.wanted = self.is_short(plan, now);
        }
        self.wake(Ok(()))
    }

    fn fail(
        &mut self,
        plan: &SegmentPlan,
        attempt: &Attempt,
        error: Error,
        now: Moment,
    ) -> Woken<W> {
        if error.code() == Code::RangeExhausted && attempt.size > plan.policy.least() {
            // The last ids of a counter are served in smaller pieces, down to one step.
            self.refill.cap = Some((attempt.size / 2).max(plan.policy.least()));
            self.refill.wanted = true;
            return Woken::nobody();
        }
        self.tally.failures += 1;
        if !error.is_retryable() {
            // A refill that fails after `close` leaves the generator closed.
            self.end.get_or_insert_with(|| error.clone());
            return self.wake(Err(error));
        }
        let at_hand = self.at_hand();
        let rate = self.measured(now).rate;
        let lasts = (at_hand > 0 && rate > 0.0)
            .then(|| Duration::try_from_secs_f64(at_hand as f64 / rate).ok())
            .flatten();
        // With ids in memory the task tries again by itself; without, when somebody asks.
        self.refill.wanted = at_hand > 0;
        self.refill.failed(error.clone(), now, lasts);
        self.wake(Err(error))
    }

    fn wake(&mut self, outcome: Result<()>) -> Woken<W> {
        let waiters = std::mem::take(&mut self.waiters);
        Woken {
            waiters: waiters.into_iter().map(|(waiter, _)| waiter).collect(),
            outcome,
        }
    }

    /// Whether a reservation beside the refill may be made now.
    pub(super) fn admit(&self, now: Moment) -> Result<()> {
        let refused = self.end.clone().or_else(|| self.refill.fails_fast(now));
        refused.map_or(Ok(()), Err)
    }

    /// Counts a reservation that was made beside the refill, for one caller alone. Its outcome is
    /// news of the store like any other, but a failure ends nothing: a smaller one may succeed.
    pub(super) fn count_direct(&mut self, answer: &Result<Range>, now: Moment) {
        match answer {
            Ok(range) => {
                self.tally.reserved += range.len();
                self.tally.refills += 1;
                self.refill.succeeded();
            }
            Err(error) => {
                self.tally.failures += 1;
                if error.is_retryable() {
                    self.refill.failed(error.clone(), now, None);
                }
            }
        }
    }

    /// Whatever made the last attempt fail has passed.
    pub(super) fn retry_now(&mut self) {
        self.refill.retry_now();
    }

    /// The refill task is gone without having come to rest.
    pub(super) fn abandon(&mut self, error: Error) -> Woken<W> {
        self.refill.running = false;
        self.wake(Err(error))
    }

    /// Nothing is served or reserved any more.
    pub(super) fn close(&mut self, error: Error) -> Woken<W> {
        self.drop_all();
        self.end = Some(error.clone());
        self.wake(Err(error))
    }

    /// Drops every id in memory.
    pub(super) fn drop_all(&mut self) {
        self.exhaust(&Arc::clone(&self.current));
        self.tally.wasted += self.buffered.clear();
    }

    pub(super) fn stats(&mut self, plan: &SegmentPlan, now: Moment) -> Stats {
        self.drop_expired(now);
        Stats {
            issued: self.issued(),
            reserved: self.tally.reserved,
            wasted: self.tally.wasted,
            refills: self.tally.refills,
            failures: self.tally.failures,
            waits: self.tally.waits,
            step: self.size(plan, now),
            remaining: self.at_hand() + self.tally.held,
            rate: self.measured(now).rate,
        }
    }
}
