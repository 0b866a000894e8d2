//! The policies under load: a real buffer, a store that only counts, and a clock moved by hand.

use std::time::Duration;

use crate::clock::{Clock, ManualClock, Moment};
use crate::options::{PolicyName, SegmentOptions};
use crate::range::Range;
use crate::segment::{Attempt, Enlisted, Need, Next, SegmentBuffer, Stats, Waiter};

/// A caller that never goes away.
struct Caller;

impl Waiter for Caller {
    fn is_gone(&self) -> bool {
        false
    }
}

/// How the load takes its ids.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Taking {
    /// As the Rust crate does: straight from the segment.
    Drawn,
    /// As JavaScript does: through a block.
    InBlocks,
}

/// The largest block of a realm.
const BLOCK: u32 = 1_024;

/// One generator whose ids are asked for at a steady rate.
struct Load {
    clock: ManualClock,
    buffer: SegmentBuffer<Caller>,
    taking: Taking,
    /// How long the store takes to answer.
    latency: Duration,
    /// How many callers there are at most.
    callers: u64,
    /// The highest id the store has granted.
    granted: u64,
    in_flight: Option<(Attempt, Moment)>,
    /// The sizes asked for, in order.
    sizes: Vec<u64>,
    /// Ids that callers have asked for and not got.
    owed: f64,
    /// What is left of a block, and how much of it was handed out since the last report.
    block: u64,
    used: u64,
    /// How often ids were owed and none was there.
    waits: u64,
    is_waiting: bool,
}

impl Load {
    fn new(options: &SegmentOptions) -> Self {
        Self {
            clock: ManualClock::default(),
            buffer: SegmentBuffer::new(options.plan().expect("valid options")),
            taking: Taking::Drawn,
            latency: Duration::ZERO,
            callers: u64::MAX,
            granted: 0,
            in_flight: None,
            sizes: Vec::new(),
            owed: 0.0,
            block: 0,
            used: 0,
            waits: 0,
            is_waiting: false,
        }
    }

    fn of(name: PolicyName) -> Self {
        Self::new(&SegmentOptions {
            policy: Some(name),
            ..SegmentOptions::default()
        })
    }

    fn taking(self, taking: Taking) -> Self {
        Self { taking, ..self }
    }

    fn store_answers_after(self, latency: Duration) -> Self {
        Self { latency, ..self }
    }

    fn stats(&self) -> Stats {
        self.buffer.stats(self.clock.now())
    }

    /// Ids granted and not handed out.
    fn unused(&self) -> u64 {
        let stats = self.stats();
        assert_eq!(stats.wasted, 0);
        stats.reserved - stats.issued
    }

    fn reservations(&self) -> usize {
        self.sizes.len()
    }

    /// Asks for `rate` ids a second during `time`, every `tick`.
    fn run(&mut self, rate: f64, time: Duration, tick: Duration) {
        let end = self.clock.now() + time;
        while self.clock.now() < end {
            self.clock.advance(tick);
            self.owed += rate * tick.as_secs_f64();
            self.serve();
        }
    }

    /// One caller takes an id after the other during `time`, at most `most` in a millisecond.
    fn run_flat_out(&mut self, most: u32, time: Duration) {
        self.callers = 1;
        let end = self.clock.now() + time;
        while self.clock.now() < end {
            self.clock.advance(MS);
            self.owed = f64::from(most);
            self.serve();
        }
        self.owed = 0.0;
    }

    /// Hands out what is owed, as far as the store has answered.
    fn serve(&mut self) {
        loop {
            self.answer();
            while self.owed >= 1.0 && self.take() {}
            self.drive();
            let is_due = self.in_flight.is_some_and(|(_, at)| at <= self.clock.now());
            if !is_due {
                break;
            }
        }
        self.waits += u64::from(self.owed >= 1.0);
    }

    fn take(&mut self) -> bool {
        let drawn = match self.taking {
            Taking::Drawn => self.buffer.draw(self.owed as u32, &self.clock),
            Taking::InBlocks if self.block > 0 => {
                let taken = self.block.min(self.owed as u64);
                self.block -= taken;
                self.used += taken;
                self.owed -= taken as f64;
                return true;
            }
            Taking::InBlocks => {
                let used = std::mem::take(&mut self.used);
                self.buffer.draw_block(BLOCK, used, &self.clock)
            }
        };
        if drawn.wants_refill {
            self.buffer.want();
        }
        let Some(range) = drawn.range else {
            self.wait();
            return false;
        };
        match self.taking {
            Taking::Drawn => self.owed -= range.len() as f64,
            Taking::InBlocks => self.block = range.len(),
        }
        true
    }

    fn wait(&mut self) {
        if !self.is_waiting {
            for _ in 0..self.callers.min(self.owed as u64) {
                let enlisted = self.buffer.enlist(Caller, Need::of(1), self.clock.now());
                assert!(matches!(enlisted, Ok(Enlisted::Waits { .. })));
            }
            self.is_waiting = true;
        }
    }

    /// Lets the refill task do what there is to do.
    fn drive(&mut self) {
        if self.in_flight.is_some() {
            return;
        }
        let now = self.clock.now();
        if let Next::Reserve(attempt) = self.buffer.next(now) {
            self.sizes.push(attempt.size);
            self.in_flight = Some((attempt, now + self.latency));
        }
    }

    fn answer(&mut self) {
        let now = self.clock.now();
        if let Some((attempt, _)) = self.in_flight.take_if(|(_, at)| *at <= now) {
            let range = Range::after(self.granted, attempt.size).expect("few ids in all");
            self.granted = range.last();
            let woken = self.buffer.finish(&attempt, Ok(range), now);
            self.is_waiting &= woken.waiters.is_empty();
        }
    }
}

const MS: Duration = Duration::from_millis(1);
const SECOND: Duration = Duration::from_secs(1);

#[test]
fn proportional_settles_at_a_minute_of_ids_and_follows_the_load_down() {
    for taking in [Taking::Drawn, Taking::InBlocks] {
        let mut load = Load::of(PolicyName::Proportional).taking(taking);
        load.run(1_000.0, 300 * SECOND, MS);
        assert!(load.reservations() <= 10, "{taking:?} {:?}", load.sizes);
        let settled = *load.sizes.last().expect("some reservations");
        assert!(
            (59_900..=60_100).contains(&settled),
            "{taking:?} {:?}",
            load.sizes
        );
        let before = load.reservations();
        while load.stats().step > 120 {
            load.run(1.0, SECOND, SECOND);
            assert!(
                load.reservations() <= before + 2,
                "{taking:?} {:?}",
                load.sizes
            );
        }
    }
}

#[test]
fn proportional_reserves_seldom_at_a_low_rate() {
    for taking in [Taking::Drawn, Taking::InBlocks] {
        let mut load = Load::of(PolicyName::Proportional).taking(taking);
        load.run(20.0, 60 * SECOND, 10 * MS);
        let before = load.reservations();
        load.run(20.0, 240 * SECOND, 10 * MS);
        let later = load.reservations() - before;
        assert!(later <= 10, "{taking:?} {:?}", load.sizes);
    }
}

#[test]
fn doubling_grows_to_its_bound_and_shrinks_to_one_by_factors_of_two() {
    let mut load = Load::of(PolicyName::Doubling);
    load.run(10_000.0, 400 * SECOND, 10 * MS);
    let mut expected = 100;
    for &size in &load.sizes {
        assert!(size == expected || size == expected / 2, "{:?}", load.sizes);
        expected = (size * 2).min(1_000_000);
    }
    assert_eq!(load.sizes.last(), Some(&1_000_000));
    load.sizes.clear();
    // An id every 20 minutes: whatever is used up lasted longer than 10 minutes.
    let mut time = 1200 * SECOND;
    while load.sizes.last() != Some(&1) {
        load.run(1.0 / time.as_secs_f64(), time, time);
        time = 1200 * SECOND;
    }
    for pair in load.sizes.windows(2) {
        assert_eq!(pair[1], pair[0] / 2, "{:?}", load.sizes);
    }
}

#[track_caller]
fn check_nobody_waits(rate: f64, taking: Taking) {
    let mut load = Load::new(&SegmentOptions::default())
        .taking(taking)
        .store_answers_after(50 * MS);
    load.run(rate, SECOND, MS);
    assert!(load.waits > 0, "a cold start waits for the store");
    load.waits = 0;
    load.run(rate, 30 * SECOND, MS);
    assert_eq!(load.waits, 0, "{taking:?} {:?}", load.sizes);
}

#[test]
fn under_lookahead_nobody_waits_after_the_first_second() {
    for taking in [Taking::Drawn, Taking::InBlocks] {
        check_nobody_waits(1_000.0, taking);
        check_nobody_waits(100_000.0, taking);
    }
}

#[test]
fn a_burst_leaves_little_behind_and_the_next_reservation_is_one_step() {
    for taking in [Taking::Drawn, Taking::InBlocks] {
        let options = SegmentOptions {
            step: Some(10),
            ..SegmentOptions::default()
        };
        let mut load = Load::new(&options).taking(taking).store_answers_after(MS);
        let lookahead = 50_000;
        let bound = 2 * lookahead + 10 + u64::from(BLOCK);
        for _ in 0..20 {
            load.run_flat_out(50, 100 * MS);
            assert!(load.unused() <= bound, "{taking:?} {}", load.unused());
        }
        assert!(load.sizes.iter().any(|size| *size >= lookahead));
        load.sizes.clear();
        load.clock.advance(60 * SECOND);
        while load.sizes.len() < 5 {
            load.run(1.0, SECOND, SECOND);
        }
        assert_eq!(load.sizes, [10; 5], "{taking:?}");
    }
}

#[test]
fn a_thousand_callers_of_a_small_fixed_step_make_a_reservation_per_step() {
    let options = SegmentOptions {
        policy: Some(PolicyName::Fixed),
        step: Some(10),
        ..SegmentOptions::default()
    };
    let mut load = Load::new(&options).store_answers_after(MS);
    load.owed = 1_000.0;
    load.run(0.0, SECOND, MS);
    assert_eq!(load.owed, 0.0);
    assert!(load.reservations() <= 102, "{}", load.reservations());
}

#[test]
fn a_huge_step_is_reserved_at_most_twice_while_idle() {
    for step in [200_000_000, 1 << 40] {
        for policy in [PolicyName::Lookahead, PolicyName::Fixed] {
            let mut load = Load::new(&SegmentOptions {
                policy: Some(policy),
                step: Some(step),
                ..SegmentOptions::default()
            });
            load.owed = 1.0;
            load.run(0.0, SECOND, MS);
            assert_eq!(load.owed, 0.0);
            assert!(load.reservations() <= 2, "{policy:?} {:?}", load.sizes);
        }
    }
}
