//! Clocks that stand still, leap and go back: ids only ever grow.

use super::*;

/// Numbers that look drawn at random and are the same at each run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }
}

/// How far the clock moves: mostly a little, at times by hours, either way.
fn step(random: &mut Random) -> i64 {
    const TWO_HOURS_MS: u64 = 2 * 3_600_000;
    let reach = [1, 3, 200, 5_000, TWO_HOURS_MS][random.below(5) as usize];
    let by = i64::try_from(random.below(2 * reach + 1)).expect("a few hours");
    by - i64::try_from(reach).expect("a few hours")
}

fn walk(seed: u64, steps: u32) {
    let mut random = Random(seed + 1);
    let unit = [Unit::Ms, Unit::S][random.below(2) as usize];
    let layout = narrow(random.below(8), unit);
    let mut now_ms = NOW_MS;
    let mut tenure = tenure(layout);
    // The highest id and tick so far, under any tenure.
    let (mut last, mut last_tick) = (0, 0);
    for _ in 0..steps {
        now_ms = now_ms.saturating_add_signed(step(&mut random));
        let n = u32::try_from(random.below(20) + 1).expect("few");
        match tenure.draw(n, || now_ms) {
            Draw::Ids { first, count, tick } => {
                assert!(first > last, "seed {seed}: {first} after {last}");
                assert!(count >= 1 && count <= n);
                assert_eq!(Some(tick), layout.tick_at(now_ms), "seed {seed}");
                last = first + u64::from(count) - 1;
                last_tick = tick;
                // The run stays within its tick and its machine.
                let parts = layout.parse(last).expect("an id");
                assert_eq!(
                    (parts.timestamp_ms, parts.machine),
                    (layout.first_ms(tick), 5)
                );
            }
            Draw::Full { until_ms } => assert_eq!(until_ms, layout.first_ms(last_tick + 1)),
            Draw::Behind { clock_ms, last_ms } => {
                assert!(clock_ms == now_ms && clock_ms < last_ms, "seed {seed}");
            }
            other => panic!("seed {seed}: {other:?}"),
        }
        // Now and then the lease is lost, and the same number comes back.
        if random.below(100) == 0 {
            if let Some(tick) = tenure.end() {
                assert_eq!(tick, last_tick, "seed {seed}");
            }
            tenure = Tenure::new(layout, 5, last_tick + 1, FAR_MS);
        }
    }
}

#[test]
fn ids_grow_whatever_way_the_clock_walks() {
    for seed in 0..10_000 {
        walk(seed, 200);
    }
}

#[test]
fn ids_grow_over_a_long_walk() {
    walk(10_001, 1_000_000);
}
