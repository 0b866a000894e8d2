//! The double buffer: a current segment on the fast path, and the next one behind it.

use std::sync::Arc;

use super::cold::Cold;
use super::refill::{Attempt, Enlisted, Need, Next, Waiter, Woken};
use super::{Segment, Stats, recent};
use crate::clock::{Clock, Moment};
use crate::error::{Error, Result};
use crate::options::SegmentPlan;
use crate::range::Range;
use crate::sync::{Mutex, Swap, unique_number};

/// A realm's block is at most this part of a segment, so that one realm does not starve others.
const BLOCK_PART: u64 = 4;

/// The ids of one generator in this process, and the state of their refill.
///
/// A draw touches one pointer and one atomic. Everything else is behind a lock that is never held
/// across an await: it is taken once per segment, per block of JavaScript, and by callers that
/// found nothing.
///
/// ```
/// use mintid_core::options::SegmentOptions;
/// use mintid_core::segment::{Next, SegmentBuffer, Waiter};
/// use mintid_core::{ManualClock, Moment, Range};
///
/// struct Caller;
/// impl Waiter for Caller {
///     fn is_gone(&self) -> bool {
///         false
///     }
/// }
///
/// let (clock, now) = (ManualClock::default(), Moment::default());
/// let buffer = SegmentBuffer::<Caller>::new(SegmentOptions::default().plan()?);
/// assert!(buffer.draw(3, &clock).range.is_none());
///
/// // What the engine's refill task does:
/// assert!(buffer.want());
/// let Next::Reserve(attempt) = buffer.next(now) else { unreachable!() };
/// let answer = Range { start: 1, end: 1 + attempt.size };
/// assert!(buffer.finish(&attempt, Ok(answer), now).waiters.is_empty());
///
/// assert_eq!(buffer.draw(3, &clock).range, Some(Range { start: 1, end: 4 }));
/// # Ok::<(), mintid_core::Error>(())
/// ```
#[derive(Debug)]
pub struct SegmentBuffer<W> {
    /// What threads remember it by.
    number: u64,
    plan: SegmentPlan,
    /// The same segment as `cold.current`; replaced only under the lock.
    current: Swap<Segment>,
    /// Made at first use: most generators of a large application are idle.
    cold: Mutex<Option<Box<Cold<W>>>>,
}

/// What a draw gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Drawn {
    /// The ids; `None` if there were none in memory.
    pub range: Option<Range>,
    /// Whether a refill is called for: the draw crossed the mark. One that found nothing leaves it
    /// to its caller, who knows how many ids it wants.
    pub wants_refill: bool,
    /// When the ids are too old to be handed out.
    pub expires: Option<Moment>,
}

/// What a draw of one id gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawnOne {
    /// The id; `None` if there was none in memory.
    pub id: Option<u64>,
    /// As in [`Drawn`].
    pub wants_refill: bool,
}

impl<W: Waiter> SegmentBuffer<W> {
    /// An empty buffer that follows `plan`.
    pub fn new(plan: SegmentPlan) -> Self {
        Self {
            number: unique_number(),
            plan,
            current: Swap::new(Segment::none()),
            cold: Mutex::new(None),
        }
    }

    fn cold<R>(&self, work: impl FnOnce(&mut Cold<W>) -> R) -> R {
        let mut cold = self.cold.lock();
        work(cold.get_or_insert_with(|| Box::new(Cold::new(Arc::clone(&self.current.load())))))
    }

    /// A number that no other buffer of this process has, as far as this copy of the library goes.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The plan it follows.
    pub fn plan(&self) -> &SegmentPlan {
        &self.plan
    }

    /// Up to `n` ids in one run, from memory alone.
    pub fn draw(&self, n: u32, clock: &dyn Clock) -> Drawn {
        self.draw_part(clock, |_| n)
    }

    /// The next id, from memory alone.
    #[inline]
    pub fn draw_one(&self, clock: &dyn Clock) -> DrawnOne {
        let marked = |segment: &Segment, id| self.is_marked(segment, id);
        match recent::draw(self.number, marked) {
            Some((id, wants_refill)) => DrawnOne {
                id: Some(id),
                wants_refill,
            },
            None => self.draw_one_slowly(clock),
        }
    }

    #[cold]
    fn draw_one_slowly(&self, clock: &dyn Clock) -> DrawnOne {
        let drawn = self.draw(1, clock);
        recent::remember(self.number, &self.current.load());
        DrawnOne {
            id: drawn.range.map(|range| range.start),
            wants_refill: drawn.wants_refill,
        }
    }

    /// Whether drawing one id calls for a refill.
    #[inline]
    fn is_marked(&self, segment: &Segment, id: u64) -> bool {
        id == segment.mark || (id > segment.mark && self.keeps_too_few())
    }

    /// Whether fewer ids are at hand than `keep` wants. The refill that the mark called for may
    /// have brought just enough, so behind the mark every draw looks whether that is still so.
    #[inline]
    fn keeps_too_few(&self) -> bool {
        self.plan.keep > 0 && self.has_fewer_than(self.plan.keep)
    }

    #[cold]
    fn has_fewer_than(&self, ids: u64) -> bool {
        self.cold(|cold| cold.at_hand()) < ids
    }

    /// A draw whose size may depend on the segment it comes from.
    fn draw_part(&self, clock: &dyn Clock, size: impl Fn(&Segment) -> u32) -> Drawn {
        loop {
            let segment = self.current.load();
            if segment.is_expired(clock) {
                self.cold(|cold| cold.exhaust(&segment));
            }
            if let Some(range) = segment.cursor.draw(size(&segment)) {
                return Drawn {
                    range: Some(range),
                    wants_refill: segment.is_mark_in(range)
                        || (range.start > segment.mark && self.keeps_too_few()),
                    expires: segment.expires,
                };
            }
            if !self.promote(&segment, clock.now()) {
                return Drawn {
                    range: None,
                    wants_refill: false,
                    expires: None,
                };
            }
        }
    }

    /// Refills a realm's block, of which `used` ids were handed out since the last call, with at
    /// most `room` ids of one segment.
    pub fn draw_block(&self, room: u32, used: u64, clock: &dyn Clock) -> Drawn {
        let mut drawn = self.draw_part(clock, |segment| {
            let part = (segment.range.len() / BLOCK_PART).max(1);
            room.min(u32::try_from(part).unwrap_or(u32::MAX))
        });
        let taken = drawn.range.map_or(0, |range| range.len());
        let is_short = self.cold(|cold| cold.account(used, taken, &self.plan, clock.now()));
        drawn.wants_refill |= is_short && taken > 0;
        drawn
    }

    /// Notes that a realm handed out `used` ids of its block.
    pub fn report(&self, used: u64, now: Moment) {
        self.cold(|cold| cold.account(used, 0, &self.plan, now));
    }

    /// Gives up on `ids` that a realm held in its block.
    pub fn lose_block(&self, ids: u64) {
        self.cold(|cold| cold.lose_block(ids));
    }

    /// Gives up on `ids` that were drawn and will not be handed out.
    pub fn waste(&self, ids: u64) {
        self.cold(|cold| cold.waste(ids));
    }

    /// Makes the buffered segment current in the place of `used`; `false` if there is none.
    ///
    /// Does nothing if `used` is no longer current: another thread has promoted since it was
    /// loaded, and promoting again would skip a segment.
    fn promote(&self, used: &Arc<Segment>, now: Moment) -> bool {
        self.cold(|cold| {
            if !Arc::ptr_eq(&cold.current, used) {
                return true;
            }
            let promoted = cold.promote(&self.plan, now);
            self.publish(cold);
            promoted
        })
    }

    /// Shows the fast path the segment that is current behind the lock.
    fn publish(&self, cold: &Cold<W>) {
        self.current.store(Arc::clone(&cold.current));
    }

    /// Asks for a refill; `true` if the caller has to start the task that runs it.
    pub fn want(&self) -> bool {
        self.cold(|cold| cold.want())
    }

    /// Registers a caller that found fewer ids than it needs.
    ///
    /// # Errors
    /// At once while a failed refill is not yet tried again, after a final failure, and when
    /// closed.
    pub fn enlist(&self, waiter: W, need: Need, now: Moment) -> Result<Enlisted> {
        self.cold(|cold| cold.enlist(waiter, need, now))
    }

    /// Counts callers that had to wait.
    pub fn count_waits(&self, callers: u64) {
        self.cold(|cold| cold.count_waits(callers));
    }

    /// What the refill task has to do now.
    pub fn next(&self, now: Moment) -> Next {
        self.cold(|cold| cold.next(&self.plan, now))
    }

    /// Brings in the answer to `attempt`, however late. A range is served only if it lies above
    /// everything that was installed before.
    pub fn finish(&self, attempt: &Attempt, answer: Result<Range>, now: Moment) -> Woken<W> {
        self.cold(|cold| {
            let woken = cold.finish(&self.plan, attempt, answer, now);
            self.publish(cold);
            woken
        })
    }

    /// Whether a reservation beside the refill may be made now, for one caller alone.
    ///
    /// # Errors
    /// As for [`enlist`](Self::enlist).
    pub fn admit(&self, now: Moment) -> Result<()> {
        self.cold(|cold| cold.admit(now))
    }

    /// Counts the answer to such a reservation; a failure holds the next attempt back.
    pub fn count_direct(&self, answer: &Result<Range>, now: Moment) {
        self.cold(|cold| cold.count_direct(answer, now));
    }

    /// Ends the waiting after a failure: whatever it was has passed.
    pub fn retry_now(&self) {
        self.cold(|cold| cold.retry_now());
    }

    /// Says that the refill task has gone without coming to rest.
    pub fn abandon(&self, error: Error) -> Woken<W> {
        self.cold(|cold| cold.abandon(error))
    }

    /// Drops what is in memory and refuses whatever comes, with `error`.
    pub fn close(&self, error: Error) -> Woken<W> {
        self.cold(|cold| cold.close(error))
    }

    /// Drops what is in memory; the next caller starts afresh.
    pub fn drop_all(&self) {
        self.cold(|cold| cold.drop_all());
    }

    /// How many ids are in memory that may still be used.
    pub fn at_hand(&self, now: Moment) -> u64 {
        self.cold(|cold| {
            cold.drop_expired(now);
            cold.at_hand()
        })
    }

    /// What has been done so far.
    pub fn stats(&self, now: Moment) -> Stats {
        self.cold(|cold| cold.stats(&self.plan, now))
    }
}
