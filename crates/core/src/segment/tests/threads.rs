//! Real threads: many draws at once, beside the refills that they call for.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use super::*;

const THREADS: u32 = 8;
const DRAWS: u32 = 100_000;

/// A caller that waits on a channel.
struct Waiting(Sender<Result<()>>);

impl Waiter for Waiting {
    fn is_gone(&self) -> bool {
        false
    }
}

struct Shared {
    buffer: SegmentBuffer<Waiting>,
    clock: ManualClock,
    granted: AtomicU64,
    reservations: AtomicU64,
}

impl Shared {
    /// The refill task, run by whoever starts it.
    fn run_task(&self) {
        while let Next::Reserve(attempt) = self.buffer.next(self.clock.now()) {
            self.reservations.fetch_add(1, Ordering::Relaxed);
            let last = self.granted.fetch_add(attempt.size, Ordering::Relaxed);
            let range = Range::after(last, attempt.size).expect("few ids in all");
            let woken = self.buffer.finish(&attempt, Ok(range), self.clock.now());
            for Waiting(sender) in woken.waiters {
                sender.send(Ok(())).expect("every caller listens");
            }
        }
    }

    fn draw(&self, n: u32) -> Range {
        loop {
            let drawn = self.buffer.draw(n, &self.clock);
            if drawn.wants_refill && self.buffer.want() {
                self.run_task();
            }
            if let Some(range) = drawn.range {
                return range;
            }
            let (sender, receiver) = channel();
            let need = Need::of(u64::from(n));
            let enlisted = self.buffer.enlist(Waiting(sender), need, self.clock.now());
            if let Enlisted::Waits { start_task } = enlisted.expect("nothing fails") {
                if start_task {
                    self.run_task();
                }
                receiver.recv().expect("an outcome").expect("a success");
            }
        }
    }
}

#[test]
fn draws_of_many_threads_repeat_and_lose_nothing() {
    let plan = fixed(1_000).plan().expect("valid options");
    let shared = Shared {
        buffer: SegmentBuffer::new(plan),
        clock: ManualClock::default(),
        granted: AtomicU64::new(0),
        reservations: AtomicU64::new(0),
    };
    let mut drawn: Vec<Range> = thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS)
            .map(|thread| {
                let shared = &shared;
                // From one id to more than a segment.
                let size = move |draw: u32| match (draw + thread) % 100 {
                    0 => 1_500,
                    odd if odd % 2 == 1 => 1,
                    even => even,
                };
                scope.spawn(move || (0..DRAWS).map(|draw| shared.draw(size(draw))).collect())
            })
            .collect();
        let join = |thread: thread::ScopedJoinHandle<'_, Vec<Range>>| {
            let ranges = thread.join().expect("no panic");
            assert!(ranges.is_sorted_by(|one, next| one.end <= next.start));
            ranges
        };
        threads.into_iter().flat_map(join).collect()
    });
    let stats = shared.buffer.stats(shared.clock.now());
    let issued: u64 = drawn.iter().map(Range::len).sum();
    while let Some(range) = shared.buffer.draw(u32::MAX, &shared.clock).range {
        drawn.push(range);
    }
    drawn.sort_unstable_by_key(|range| range.start);
    let mut next = 1;
    for range in &drawn {
        assert_eq!(range.start, next, "an id is lost or repeated");
        next = range.end;
    }
    assert_eq!(next - 1, shared.granted.load(Ordering::Relaxed));
    assert_eq!((stats.issued, stats.wasted), (issued, 0));
    assert_eq!(stats.refills, shared.reservations.load(Ordering::Relaxed));
    assert!(stats.refills <= issued / 1_000 + 2);
}
