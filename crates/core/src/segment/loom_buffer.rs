//! Models of the buffer: loom runs every order in which the threads can meet.
//!
//! Run with `npm test -- loom`.

use std::sync::Arc;
use std::time::Duration;

use loom::sync::mpsc::{Sender, channel};
use loom::thread;

use super::*;
use crate::clock::ManualClock;
use crate::error::{Error, Result};
use crate::options::{PolicyName, SegmentOptions};

/// A caller that waits on a modelled channel.
struct Caller(Sender<Result<()>>);

impl Waiter for Caller {
    fn is_gone(&self) -> bool {
        false
    }
}

type Buffer = SegmentBuffer<Caller>;

/// A buffer of segments of `step` ids, refilled at half.
fn buffer(step: u64) -> Arc<Buffer> {
    let options = SegmentOptions {
        policy: Some(PolicyName::Fixed),
        step: Some(step),
        ..SegmentOptions::default()
    };
    let plan = options.plan().expect("a valid plan");
    Arc::new(Buffer::new(plan))
}

/// Brings the range that follows `last` in, as the store would.
fn refill(buffer: &Buffer, last: u64) -> Option<Range> {
    let now = Moment::default();
    buffer.want();
    let Next::Reserve(attempt) = buffer.next(now) else {
        return None;
    };
    let range = Range::after(last, attempt.size).expect("a small range");
    tell(buffer.finish(&attempt, Ok(range), now));
    Some(range)
}

fn tell(woken: Woken<Caller>) {
    for Caller(sender) in woken.waiters {
        // A caller that has stopped listening does not want to know.
        drop(sender.send(woken.outcome.clone()));
    }
}

fn draw(buffer: &Buffer, n: u32) -> Drawn {
    buffer.draw(n, &ManualClock::default())
}

fn ids(range: Option<Range>) -> impl Iterator<Item = u64> {
    range.into_iter().flat_map(|range| range.start..range.end)
}

/// Sorted, so that a repeated or a foreign id shows as a difference.
fn assert_ids(mut drawn: Vec<u64>, expected: impl Iterator<Item = u64>) {
    drawn.sort_unstable();
    assert_eq!(drawn, expected.collect::<Vec<_>>());
}

#[test]
fn loom_draws_and_an_install_lose_and_repeat_nothing() {
    loom::model(|| {
        let shared = buffer(2);
        refill(&shared, 0);
        let drawers: Vec<_> = (0..2)
            .map(|_| {
                let buffer = Arc::clone(&shared);
                thread::spawn(move || {
                    let first = draw(&buffer, 2).range;
                    ids(first)
                        .chain(ids(draw(&buffer, 1).range))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        refill(&shared, 2);
        let mut drawn: Vec<u64> = drawers
            .into_iter()
            .flat_map(|drawer| drawer.join().expect("no panic"))
            .collect();
        // What nobody drew is still there, all of it.
        while let Some(range) = draw(&shared, 2).range {
            drawn.extend(range.start..range.end);
        }
        assert_ids(drawn, 1..5);
    });
}

#[test]
fn loom_threads_that_remember_their_segment_lose_and_repeat_nothing() {
    loom::model(|| {
        let shared = buffer(2);
        refill(&shared, 0);
        let one = |buffer: &Buffer| buffer.draw_one(&ManualClock::default()).id;
        let other = {
            let buffer = Arc::clone(&shared);
            thread::spawn(move || [one(&buffer), one(&buffer)])
        };
        let mut drawn: Vec<u64> = one(&shared).into_iter().collect();
        refill(&shared, 2);
        drawn.extend(one(&shared));
        drawn.extend(other.join().expect("no panic").into_iter().flatten());
        while let Some(id) = one(&shared) {
            drawn.push(id);
        }
        assert_ids(drawn, 1..5);
    });
}

#[test]
fn loom_two_promotions_skip_no_segment() {
    loom::model(|| {
        let shared = buffer(1);
        for last in 0..3 {
            refill(&shared, last);
        }
        // Now both find the first segment used up, and either may promote.
        assert_ids(ids(draw(&shared, 1).range).collect(), 1..2);
        let other = {
            let buffer = Arc::clone(&shared);
            thread::spawn(move || ids(draw(&buffer, 1).range).collect::<Vec<_>>())
        };
        let mut drawn: Vec<u64> = ids(draw(&shared, 1).range).collect();
        drawn.extend(other.join().expect("no panic"));
        while let Some(range) = draw(&shared, 1).range {
            drawn.extend(range.start..range.end);
        }
        assert_ids(drawn, 2..4);
    });
}

#[test]
fn loom_of_draws_across_the_mark_one_calls_for_a_refill() {
    loom::model(|| {
        let shared = buffer(4);
        refill(&shared, 0);
        // In either order the mark, 3, lies within the draw of three and is not its first id.
        let crossing = |buffer: &Buffer, n| {
            let drawn = draw(buffer, n);
            assert!(drawn.range.is_some());
            usize::from(drawn.wants_refill)
        };
        let other = {
            let buffer = Arc::clone(&shared);
            thread::spawn(move || crossing(&buffer, 1))
        };
        let crossed = crossing(&shared, 3) + other.join().expect("no panic");
        assert_eq!(crossed, 1);
    });
}

#[test]
fn loom_of_callers_that_want_a_refill_one_starts_the_task() {
    loom::model(|| {
        let shared = buffer(4);
        let other = {
            let buffer = Arc::clone(&shared);
            thread::spawn(move || usize::from(buffer.want()))
        };
        let mut tasks = usize::from(shared.want()) + other.join().expect("no panic");
        // The task may come to rest while somebody asks: then that caller starts the next one.
        loop {
            match shared.next(Moment::default()) {
                Next::Reserve(attempt) => {
                    let range = Range::after(0, attempt.size);
                    tell(shared.finish(
                        &attempt,
                        Ok(range.expect("a small range")),
                        Moment::default(),
                    ));
                }
                Next::Rest => break,
                Next::Wait(_) => unreachable!("nothing failed"),
            }
        }
        assert_eq!(tasks, 1);
        tasks += usize::from(shared.want());
        assert_eq!(tasks, 2);
    });
}

/// A caller: draws, or waits for an outcome.
fn next(buffer: &Buffer, now: Moment) -> Result<u64> {
    loop {
        if let Some(range) = draw(buffer, 1).range {
            return Ok(range.start);
        }
        let (sender, receiver) = channel();
        match buffer.enlist(Caller(sender), Need::of(1), now)? {
            Enlisted::LookAgain => {}
            Enlisted::Waits { .. } => receiver.recv().expect("an outcome for every caller")?,
        }
    }
}

#[test]
fn loom_a_caller_beside_an_arriving_refill_is_always_served() {
    loom::model(|| {
        let shared = buffer(1);
        shared.want();
        let Next::Reserve(attempt) = shared.next(Moment::default()) else {
            unreachable!("it is wanted");
        };
        let caller = {
            let buffer = Arc::clone(&shared);
            thread::spawn(move || next(&buffer, Moment::default()))
        };
        let range = Range::after(0, 1).expect("a small range");
        tell(shared.finish(&attempt, Ok(range), Moment::default()));
        assert_eq!(caller.join().expect("no panic").expect("an id"), 1);
    });
}

#[test]
fn loom_every_caller_of_a_failing_refill_is_told_once() {
    loom::model(|| {
        let shared = buffer(1);
        shared.want();
        let Next::Reserve(attempt) = shared.next(Moment::default()) else {
            unreachable!("it is wanted");
        };
        let caller = {
            let buffer = Arc::clone(&shared);
            thread::spawn(move || next(&buffer, Moment::default()))
        };
        let error = Error::Store {
            store: "memory:".to_owned(),
            reason: "away".to_owned(),
        };
        tell(shared.finish(&attempt, Err(error), Moment::default()));
        // Before the failure it waits for it, after it the back-off answers: never a hang.
        assert!(caller.join().expect("no panic").is_err());
    });
}

#[test]
fn loom_an_answer_to_an_attempt_given_up_is_used_or_lost_but_never_repeated() {
    loom::model(|| {
        let shared = buffer(1);
        let later = Moment::new(Duration::from_secs(10));
        shared.want();
        let Next::Reserve(given_up) = shared.next(Moment::default()) else {
            unreachable!("it is wanted");
        };
        let timeout = Error::TimedOut {
            name: "orders".to_owned(),
            limit_ms: 1,
            trouble: None,
        };
        tell(shared.finish(&given_up, Err(timeout), Moment::default()));
        let late = {
            let buffer = Arc::clone(&shared);
            thread::spawn(move || {
                tell(buffer.finish(&given_up, Ok(Range { start: 1, end: 2 }), later))
            })
        };
        shared.want();
        if let Next::Reserve(attempt) = shared.next(later) {
            tell(shared.finish(&attempt, Ok(Range { start: 2, end: 3 }), later));
        }
        late.join().expect("no panic");
        let mut last = 0;
        while let Some(range) = draw(&shared, 1).range {
            assert!(range.start > last, "{range} after {last}");
            last = range.start;
        }
        assert_eq!(last, 2);
    });
}

#[test]
fn loom_an_id_beside_a_drop_is_drawn_or_wasted_and_never_both() {
    loom::model(|| {
        let shared = buffer(2);
        refill(&shared, 0);
        refill(&shared, 2);
        let other = {
            let buffer = Arc::clone(&shared);
            thread::spawn(move || ids(draw(&buffer, 1).range).count())
        };
        shared.drop_all();
        let drawn = other.join().expect("no panic");
        assert_eq!(draw(&shared, 1).range, None);
        let stats = shared.stats(Moment::default());
        let drawn = u64::try_from(drawn).expect("one at most");
        assert_eq!((stats.issued, stats.wasted), (drawn, 4 - drawn));
    });
}

#[test]
fn loom_nothing_is_served_after_close_and_nobody_waits_on() {
    loom::model(|| {
        let shared = buffer(1);
        shared.want();
        let Next::Reserve(attempt) = shared.next(Moment::default()) else {
            unreachable!("it is wanted");
        };
        let caller = {
            let buffer = Arc::clone(&shared);
            thread::spawn(move || next(&buffer, Moment::default()))
        };
        let arrival = {
            let buffer = Arc::clone(&shared);
            thread::spawn(move || {
                let range = Range::after(0, 1).expect("a small range");
                tell(buffer.finish(&attempt, Ok(range), Moment::default()));
            })
        };
        let closed = Error::Closed {
            name: "orders".to_owned(),
        };
        tell(shared.close(closed));
        // Served before, or told: both are fine, a hang is not.
        let served = caller.join().expect("no panic").is_ok();
        arrival.join().expect("no panic");
        assert_eq!(draw(&shared, 1).range, None);
        assert!(next(&shared, Moment::default()).is_err());
        let stats = shared.stats(Moment::default());
        assert_eq!(stats.issued, u64::from(served));
        assert_eq!(stats.wasted, 1 - u64::from(served));
    });
}
