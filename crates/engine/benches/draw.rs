//! What an id costs in Rust, beside the one atomic addition that it cannot do without.
//!
//! Both loops alternate in one process, on one thread. Prints the medians as JSON, in ns an id.

use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use mintid::{Ids, PolicyName, Result, SegmentGenerator, SegmentOptions};

const ROUNDS: usize = 200;
/// Several milliseconds: long beside a clock, short beside whatever else the machine does.
const PER_ROUND: u64 = 1_000_000;

fn main() -> Result<()> {
    // `cargo test --all-targets` starts benchmarks too; this is what `cargo bench` adds.
    if !std::env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let lookahead = SegmentOptions::default();
    // One segment outlasts the program: the path of a draw, and nothing else.
    let fixed = SegmentOptions {
        policy: Some(PolicyName::Fixed),
        step: Some(1 << 40),
        ..SegmentOptions::default()
    };
    let lookahead = measure("lookahead", &lookahead)?;
    let fixed = measure("fixed", &fixed)?;
    println!("[{lookahead}, {fixed}]");
    Ok(())
}

fn measure(policy: &str, options: &SegmentOptions) -> Result<String> {
    let orders = Ids::new("memory:")?.segment_with("orders", options)?;
    mintid::runtime().block_on(orders.ready(1))?;
    let counter = AtomicU64::new(1);

    let (mut drawn, mut added) = (Vec::new(), Vec::new());
    let (mut last, mut empty) = (0, 0);
    for _ in 0..ROUNDS {
        drawn.push(time(|| draw(&orders, &mut last, &mut empty)));
        added.push(time(|| add(&counter)));
    }
    let stats = orders.stats();
    Ok(format!(
        r#"{{"policy": "{policy}", "tryNext": {:.3}, "floor": {:.3}, "empty": {empty}, "wasted": {}, "unused": {}}}"#,
        median(drawn),
        median(added),
        stats.wasted,
        stats.reserved - stats.issued,
    ))
}

/// Counts the calls that found nothing: they cost time and give no id.
fn draw(orders: &SegmentGenerator, last: &mut u64, empty: &mut u64) {
    let before = *last;
    let mut drawn = 0;
    while drawn < PER_ROUND {
        match orders.try_next() {
            Some(id) => {
                *last = black_box(id);
                drawn += 1;
            }
            None => *empty += 1,
        }
    }
    assert!(*last >= before + PER_ROUND, "a duplicate before {last}");
}

fn add(counter: &AtomicU64) {
    for _ in 0..PER_ROUND {
        // Relaxed: the cheapest there is, and what a cursor uses.
        black_box(counter.fetch_add(1, Ordering::Relaxed));
    }
}

/// In ns an id.
fn time(round: impl FnOnce()) -> f64 {
    let started = Instant::now();
    round();
    started.elapsed().as_nanos() as f64 / PER_ROUND as f64
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
