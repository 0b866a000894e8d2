use std::future::Future;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use mintid::stores::memory::MemoryStore;
use mintid::{
    Code, Error, Ids, IdsOptions, ManualTimer, PolicyName, Result, SegmentGenerator, SegmentOptions,
};
use tokio::task::yield_now;

use super::FaultyStore;
use super::crowd::polls;

/// Runs `test` on the engine's own thread. There, whoever yields comes last: when it goes on, all
/// that can happen without time passing has happened.
#[track_caller]
pub fn run(test: impl Future<Output = ()> + Send + 'static) {
    let runtime = mintid::runtime();
    if let Err(failure) = runtime.block_on(runtime.spawn(test)) {
        std::panic::resume_unwind(failure.into_panic());
    }
}

/// Lets happen what can happen at this moment.
pub async fn settle() {
    loop {
        let before = polls();
        // Once would do, but the runtime looks after itself after each 61 tasks, and then after
        // those who yielded, too: so a crowd is over only when nobody in it was seen for a while.
        for _ in 0..3 {
            yield_now().await;
        }
        if polls() == before {
            return;
        }
    }
}

/// Options of policy `fixed`: segments of `step` ids, refilled at half.
pub fn fixed(step: u64) -> SegmentOptions {
    SegmentOptions {
        policy: Some(PolicyName::Fixed),
        step: Some(step),
        ..SegmentOptions::default()
    }
}

/// Options of the default policy with another step.
pub fn step(step: u64) -> SegmentOptions {
    SegmentOptions {
        step: Some(step),
        ..SegmentOptions::default()
    }
}

/// What `outcome` failed with, which has to be `code`.
#[track_caller]
pub fn refused<T: std::fmt::Debug>(code: Code, outcome: Result<T>) -> Error {
    let error = outcome.expect_err(code.as_str());
    assert_eq!(error.code(), code, "{error}");
    error
}

/// Checks that a caller got nothing because the store failed.
#[track_caller]
pub fn unavailable<T: std::fmt::Debug>(outcome: Result<T>) {
    let error = refused(Code::RangeUnavailable, outcome);
    assert!(error.is_retryable());
    let cause = error.cause().expect("a cause");
    assert_eq!(cause.code(), Code::StoreError, "{cause}");
}

/// One process's worth of ids, on a faulty store and on time that stands still.
///
/// It is also its generator `orders`, which is what most tests are about.
pub struct Fixture {
    pub timer: Arc<ManualTimer>,
    pub store: Arc<FaultyStore>,
    pub ids: Ids,
    pub orders: SegmentGenerator,
}

impl Deref for Fixture {
    type Target = SegmentGenerator;

    fn deref(&self) -> &SegmentGenerator {
        &self.orders
    }
}

impl Fixture {
    pub fn new(options: &SegmentOptions) -> Self {
        Self::on(&MemoryStore::default(), &IdsOptions::default(), options)
    }

    /// Another process, with a client of its own on `memory`.
    pub fn on(memory: &MemoryStore, ids: &IdsOptions, orders: &SegmentOptions) -> Self {
        let timer = Arc::new(ManualTimer::default());
        let store = Arc::new(FaultyStore::new(memory.client(), Arc::clone(&timer)));
        let ids = Ids::of_store(store.clone(), timer.clone(), ids).expect("valid options");
        Self {
            orders: ids.segment_with("orders", orders).expect("valid options"),
            timer,
            store,
            ids,
        }
    }

    /// Lets `ms` pass at once, and what is due happen.
    pub async fn advance(&self, ms: u64) {
        // What was started a moment ago begins to count before the time passes.
        settle().await;
        self.timer.advance(Duration::from_millis(ms));
        settle().await;
    }

    /// The next `n` ids, one by one; each has to be in memory.
    #[track_caller]
    pub fn take(&self, n: usize) -> Vec<u64> {
        (0..n)
            .map(|_| self.orders.try_next().expect("an id in memory"))
            .collect()
    }
}
