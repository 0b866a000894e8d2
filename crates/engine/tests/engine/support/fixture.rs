use std::future::Future;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use mintid::stores::RangeStore;
use mintid::stores::faulty::FaultyStore;
use mintid::stores::memory::MemoryStore;
use mintid::{
    Clock, Code, Error, Ids, IdsOptions, Key, ManualTimer, Name, Namespace, PolicyName, Result,
    SegmentGenerator, SegmentOptions, Timer, settle,
};

/// Runs `test` on the engine's own thread, where it can settle.
#[track_caller]
pub fn run(test: impl Future<Output = ()> + Send + 'static) {
    let runtime = mintid::runtime();
    if let Err(failure) = runtime.block_on(runtime.spawn(test)) {
        std::panic::resume_unwind(failure.into_panic());
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

/// What the store remembers the generator `name` under.
pub fn key(name: &str) -> Key {
    Namespace::default().segment_key(&Name::new(name).expect("a name"))
}

/// What `store` remembers of `name`.
pub async fn value(store: &FaultyStore, name: &str) -> Option<u64> {
    let counters = store.list(name.to_owned()).await.expect("a list");
    counters.into_iter().find(|it| it.key == name)?.value
}

/// A store on `memory` that is slow by `timer`.
pub fn faulty(memory: MemoryStore, timer: &Arc<ManualTimer>) -> FaultyStore {
    let timer = Arc::clone(timer);
    FaultyStore::new(memory, move |time| timer.sleep_until(timer.now() + time))
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
        let store = Arc::new(faulty(memory.client(), &timer));
        let ids = Ids::of_store(store.clone(), timer.clone(), ids).expect("valid options");
        Self {
            orders: ids.segment_with("orders", orders).expect("valid options"),
            timer,
            store,
            ids,
        }
    }

    /// Lets every reservation take `ms`.
    pub fn delay(&self, ms: u64) {
        self.store.delay(Duration::from_millis(ms));
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
