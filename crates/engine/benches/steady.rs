//! Whether anybody waits while a steady load draws on a store that takes its time.
//!
//! Callers come by the clock, whether those before them were served or not. Prints JSON.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use mintid::options::IdsOptions;
use mintid::stores::memory::MemoryStore;
use mintid::stores::{Answer, Counter, Granted, RangeStore, Reserve};
use mintid::{Ids, Key, Result, SystemTimer};

const TICK: Duration = Duration::from_millis(1);
const IDS_PER_TICK: u32 = 100;
const TICKS: u32 = 5_000;
/// The load comes from nothing, and is not known before it has been seen for a while.
const SETTLED: u32 = 1_000;

fn main() -> Result<()> {
    // `cargo test --all-targets` starts benchmarks too; this is what `cargo bench` adds.
    if !std::env::args().any(|argument| argument == "--bench") {
        return Ok(());
    }
    let store = Arc::new(SlowStore(MemoryStore::default()));
    let ids = Ids::of_store(store, Arc::new(SystemTimer), &IdsOptions::default())?;
    let orders = ids.segment("orders")?;
    let (mut last, mut settled, mut latest) = (0, 0, Duration::ZERO);
    let mut waiting = Vec::new();
    let started = Instant::now();
    for tick in 0..TICKS {
        if tick == SETTLED {
            settled = orders.stats().waits;
        }
        let due = started + TICK * tick;
        thread::sleep(due.saturating_duration_since(Instant::now()));
        latest = latest.max(due.elapsed());
        for _ in 0..IDS_PER_TICK {
            match orders.try_next() {
                Some(id) => {
                    assert!(id > last, "a duplicate: {id} after {last}");
                    last = id;
                }
                None => {
                    let orders = orders.clone();
                    waiting.push(mintid::runtime().spawn(async move { orders.next().await }));
                }
            }
        }
    }
    for call in waiting {
        let served = mintid::runtime().block_on(call);
        served.expect("a call does not panic")?;
    }
    let stats = orders.stats();
    println!(
        r#"{{"waits": {}, "waitsBefore": {settled}, "issued": {}, "refills": {}, "latestTickMs": {}, "wasted": {}, "unused": {}}}"#,
        stats.waits - settled,
        stats.issued,
        stats.refills,
        latest.as_millis(),
        stats.wasted,
        stats.reserved - stats.issued,
    );
    Ok(())
}

/// A store that is half of its time away from the caller: on the way there, and on the way back.
struct SlowStore(MemoryStore);

const HALF: Duration = Duration::from_millis(25);

impl RangeStore for SlowStore {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn connect(&self) -> Answer<'_, ()> {
        self.0.connect()
    }

    fn reserve(&self, request: Reserve) -> Answer<'_, Granted> {
        Box::pin(async move {
            tokio::time::sleep(HALF).await;
            let granted = self.0.reserve(request).await;
            tokio::time::sleep(HALF).await;
            granted
        })
    }

    fn seal(&self, key: Key) -> Answer<'_, bool> {
        self.0.seal(key)
    }

    fn list(&self, prefix: String) -> Answer<'_, Vec<Counter>> {
        self.0.list(prefix)
    }

    fn floor(&self, key: Key, value: u64) -> Answer<'_, bool> {
        self.0.floor(key, value)
    }

    fn close(&self) -> Answer<'_, ()> {
        self.0.close()
    }
}
