//! One holding of a machine number.

use super::layout::Layout;
use crate::sync::{AtomicU64, Ordering};

/// What a draw gave, or why it gave nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draw {
    /// Ids that nobody else has, in one run: consecutive sequence numbers of one tick.
    Ids {
        /// The lowest.
        first: u64,
        /// How many.
        count: u32,
        /// The tick that they hold.
        tick: u64,
    },
    /// All sequence numbers of the present tick are used up.
    Full {
        /// When the next tick begins, in Unix ms.
        until_ms: u64,
    },
    /// The clock stands before the tick last used, or before the first tick of this tenure.
    Behind {
        /// What the clock tells.
        clock_ms: u64,
        /// What it has to reach: the first ms of that tick.
        last_ms: u64,
    },
    /// The present tick is not wholly below the ceiling: the lease was not renewed in time.
    Ceiling {
        /// The highest time that this tenure may use.
        ceiling_ms: u64,
    },
    /// The tenure was ended.
    Ended,
    /// The last tick of the layout has passed.
    Exhausted,
    /// The clock stands before the epoch, and no id was drawn yet.
    BeforeEpoch,
}

/// The right to use one machine number from a tick up to a ceiling. Made per claim, never used
/// again for another.
///
/// A thread draws wholly inside the tenure that it has loaded: the machine number lies in the
/// same object as the word that ends it.
#[derive(Debug)]
pub struct Tenure {
    layout: Layout,
    machine: u32,
    /// The machine number where an id has it.
    machine_part: u64,
    /// The first position of the first tick; the word holds it until an id was drawn.
    initial: u64,
    /// The position that is drawn next, if its tick is not over by then. A position is a tick and
    /// a sequence number in one word (`tick << sequence_bits | sequence`), so what follows the
    /// last number of a tick is the first of the next. Only grows; [`ENDED`] is the last value.
    next: AtomicU64,
    /// The first tick that is not wholly below the ceiling. Only grows.
    ceiling_tick: AtomicU64,
}

/// Above every position: those have at most 63 bits, or are the one that follows the last.
const ENDED: u64 = u64::MAX;

impl Tenure {
    /// The right to use `machine` from `first_tick` on, as long as ticks are wholly below the
    /// ceiling.
    ///
    /// # Panics
    /// If the layout has no such machine.
    pub fn new(layout: Layout, machine: u32, first_tick: u64, ceiling_ms: u64) -> Self {
        assert!(machine < layout.machines(), "machine {machine} is too wide");
        // A first tick past the end is one that never comes.
        let first_tick = first_tick.min(layout.last_tick() + 1);
        let initial = first_tick << layout.sequence_bits();
        Self {
            layout,
            machine,
            machine_part: u64::from(machine) << layout.sequence_bits(),
            initial,
            next: AtomicU64::new(initial),
            ceiling_tick: AtomicU64::new(layout.ticks_within(ceiling_ms)),
        }
    }

    /// Up to `n` ids of the present tick (`n` at least 1), in Unix ms by `clock`.
    ///
    /// The clock is read again when another thread came in between.
    #[inline]
    pub fn draw(&self, n: u32, mut clock: impl FnMut() -> u64) -> Draw {
        // Acquire, here and on failure below, with Release where it is written: the clock is read
        // after the word, so it stands no earlier than the reading that the word was made of. The
        // other way round, a thread that is put aside in between sees a step back that was none.
        let mut next = self.next.load(Ordering::Acquire);
        loop {
            let ids = match self.place(n, next, clock()) {
                Ok(ids) => ids,
                Err(why) => return why,
            };
            // Weak: a failure costs one more turn. Each one means that another draw succeeded.
            let swapped = self.next.compare_exchange_weak(
                next,
                ids.start + u64::from(ids.count),
                Ordering::Release,
                Ordering::Acquire,
            );
            match swapped {
                Ok(_) => return self.ids(ids),
                Err(newer) => next = newer,
            }
        }
    }

    /// Where ids can be had at `now_ms`, when the word holds `next`.
    #[inline]
    fn place(&self, n: u32, next: u64, now_ms: u64) -> Result<Run, Draw> {
        let bits = self.layout.sequence_bits();
        let Some(tick) = self.layout.tick_at(now_ms) else {
            return Err(self.refusal(next, now_ms));
        };
        // Relaxed: a ceiling that is out of date is only lower.
        let within = self.ceiling_tick.load(Ordering::Relaxed);
        if tick >= within || tick > self.layout.last_tick() {
            return Err(self.refusal(next, now_ms));
        }
        let start = next.max(tick << bits);
        if start >> bits != tick {
            return Err(self.refusal(next, now_ms));
        }
        let left = ((tick + 1) << bits) - start;
        // What is left is at least 1, or `start` would lie in a later tick.
        let count = u64::from(n).min(left) as u32;
        Ok(Run { start, count, tick })
    }

    /// Why no id can be had: the path that need not be fast.
    #[cold]
    fn refusal(&self, next: u64, now_ms: u64) -> Draw {
        if next == ENDED {
            return Draw::Ended;
        }
        let layout = &self.layout;
        // What the clock has to reach: the tick last used, or the first one.
        let last = self.last_used(next);
        let reached = last.unwrap_or(self.initial >> layout.sequence_bits());
        let Some(tick) = layout.tick_at(now_ms) else {
            return match last {
                None => Draw::BeforeEpoch,
                Some(last) => self.behind(now_ms, last),
            };
        };
        if tick < reached {
            return self.behind(now_ms, reached);
        }
        if tick > layout.last_tick() {
            return Draw::Exhausted;
        }
        if next >> layout.sequence_bits() > tick {
            return Draw::Full {
                until_ms: layout.first_ms(tick + 1),
            };
        }
        Draw::Ceiling {
            ceiling_ms: self.ceiling_ms(),
        }
    }

    fn behind(&self, clock_ms: u64, tick: u64) -> Draw {
        Draw::Behind {
            clock_ms,
            last_ms: self.layout.first_ms(tick),
        }
    }

    #[inline]
    fn ids(&self, Run { start, count, tick }: Run) -> Draw {
        let sequence = start - (tick << self.layout.sequence_bits());
        Draw::Ids {
            first: (tick << self.layout.low_bits()) | self.machine_part | sequence,
            count,
            tick,
        }
    }

    /// The tick of the position before `next`; `None` if none was drawn.
    fn last_used(&self, next: u64) -> Option<u64> {
        (next > self.initial).then(|| (next - 1) >> self.layout.sequence_bits())
    }

    /// Raises the ceiling after a renewal; a lower one changes nothing.
    pub fn raise_ceiling(&self, ceiling_ms: u64) {
        // Relaxed: it publishes nothing but itself, and a draw that misses it is only refused.
        let ticks = self.layout.ticks_within(ceiling_ms);
        self.ceiling_tick.fetch_max(ticks, Ordering::Relaxed);
    }

    /// Ends the tenure: no draw succeeds any more. Gives the highest tick that was drawn; `None`
    /// if there is none, or if the tenure had ended before.
    pub fn end(&self) -> Option<u64> {
        // Relaxed: one atomic has one order of changes, so a draw comes wholly before the end,
        // and is counted, or wholly after it, and fails.
        let next = self.next.swap(ENDED, Ordering::Relaxed);
        if next == ENDED {
            return None;
        }
        self.last_used(next)
    }

    /// The number of the machine.
    pub fn machine(&self) -> u32 {
        self.machine
    }

    /// The layout of its ids.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// The first ms of the first tick: no id is drawn earlier.
    pub fn starts_at(&self) -> u64 {
        let tick = self.initial >> self.layout.sequence_bits();
        self.layout.first_ms(tick)
    }

    /// The highest ms that may stand in an id: the last of a tick.
    pub fn ceiling_ms(&self) -> u64 {
        // Relaxed: a figure that is old as soon as it is read.
        let ticks = self.ceiling_tick.load(Ordering::Relaxed);
        self.layout.first_ms(ticks).saturating_sub(1)
    }

    /// Whether the tenure was ended.
    pub fn is_ended(&self) -> bool {
        // Relaxed: as for the ceiling.
        self.next.load(Ordering::Relaxed) == ENDED
    }
}

/// Positions in one run, within one tick.
struct Run {
    start: u64,
    count: u32,
    tick: u64,
}
