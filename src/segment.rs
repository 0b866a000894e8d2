//! The class behind a realm's block of one generator.

use std::sync::Arc;
use std::time::Duration;

use mintid::{Block, Clock, Error, Key, Need, Range, SegmentGenerator, SystemTimer};
use napi::Env;
use napi::bindgen_prelude::{BigInt, BigUint64ArraySlice, Object};
use napi_derive::napi;
use parking_lot::Mutex;
use tokio::task::AbortHandle;

use crate::error::{Failure, chain};
use crate::options::{NativeField, whole};
use crate::promise::promise;
use crate::waits::{Waits, duration};

/// A realm's hold on a generator. Every call is made on the realm's own thread.
#[napi]
pub struct NativeSegment {
    number: u64,
    key: Key,
    open: Mutex<Open>,
}

/// What is let go of by `close`.
#[derive(Default)]
struct Open {
    block: Option<Arc<Block>>,
    waits: Waits,
}

/// A contiguous run of ids, half-open.
#[napi(object, object_from_js = false)]
pub struct NativeRange {
    /// The first id.
    pub start: BigInt,
    /// One past the last id.
    pub end: BigInt,
}

impl From<Range> for NativeRange {
    fn from(range: Range) -> Self {
        Self {
            start: range.start.into(),
            end: range.end.into(),
        }
    }
}

/// What a generator has done so far.
#[napi(object, object_from_js = false)]
#[expect(missing_docs, reason = "the engine's `Stats` says what each is")]
pub struct NativeStats {
    pub issued: f64,
    pub reserved: f64,
    pub wasted: f64,
    pub refills: f64,
    pub failures: f64,
    pub waits: f64,
    pub step: f64,
    pub remaining: f64,
    pub rate_per_second: f64,
}

impl From<mintid::Stats> for NativeStats {
    /// Counts are told as numbers: they pass 2^53 after centuries.
    fn from(stats: mintid::Stats) -> Self {
        Self {
            issued: stats.issued as f64,
            reserved: stats.reserved as f64,
            wasted: stats.wasted as f64,
            refills: stats.refills as f64,
            failures: stats.failures as f64,
            waits: stats.waits as f64,
            step: stats.step as f64,
            remaining: stats.remaining as f64,
            rate_per_second: stats.rate,
        }
    }
}

/// How a generator is.
#[napi(object, object_from_js = false)]
pub struct NativeHealth {
    /// What the store remembers it under.
    pub key: String,
    /// Ids in memory.
    pub remaining: f64,
    /// How long the last reservation took.
    pub last_refill_ms: Option<f64>,
    /// Whether the last reservation failed.
    pub is_failing: bool,
}

impl From<mintid::Health> for NativeHealth {
    fn from(health: mintid::Health) -> Self {
        Self {
            key: health.key,
            remaining: health.remaining as f64,
            last_refill_ms: health.last_refill_ms.map(|ms| ms as f64),
            is_failing: health.is_failing,
        }
    }
}

impl NativeSegment {
    pub(crate) fn new(generator: SegmentGenerator) -> Self {
        Self {
            number: generator.number(),
            key: generator.key().clone(),
            open: Mutex::new(Open {
                block: Some(Arc::new(Block::new(generator))),
                ..Open::default()
            }),
        }
    }

    fn block(&self) -> mintid::Result<Arc<Block>> {
        self.open.lock().block.clone().ok_or_else(|| Error::Closed {
            name: self.key.to_string(),
        })
    }

    /// A promise that `close` ends, and a limit of the caller's own.
    fn wait_within<'env, T, F>(
        &self,
        env: &'env Env,
        limit: Option<f64>,
        work: impl FnOnce(&Block) -> F,
    ) -> napi::Result<Object<'env>>
    where
        T: napi::bindgen_prelude::ToNapiValue + Send + 'static,
        F: Future<Output = mintid::Result<T>> + Send + 'static,
    {
        let limit = limit.map_or(Duration::MAX, duration);
        let (promise, _) = self.wait(env, |block| block.within(limit, work(&block)))?;
        Ok(promise)
    }

    /// A promise that `close` ends.
    fn wait<'env, T, F>(
        &self,
        env: &'env Env,
        work: impl FnOnce(Arc<Block>) -> F,
    ) -> napi::Result<(Object<'env>, AbortHandle)>
    where
        T: napi::bindgen_prelude::ToNapiValue + Send + 'static,
        F: Future<Output = mintid::Result<T>> + Send + 'static,
    {
        let work = self.block().map(work);
        let (promise, task) = promise(env, async move { work?.await })?;
        self.open.lock().waits.add(task.clone());
        Ok((promise, task))
    }
}

#[napi]
impl NativeSegment {
    /// A number that no other generator of this process has.
    #[napi(getter)]
    pub fn id(&self) -> f64 {
        self.number as f64
    }

    /// What the store remembers the counter under.
    #[napi(getter)]
    pub fn key(&self) -> &str {
        self.key.as_str()
    }

    /// Fills the front of `out` with at most `room` ids of one segment, after `used` of the last
    /// ones were handed out; returns how many.
    #[napi]
    pub fn refill(&self, mut out: BigUint64ArraySlice<'_>, room: u32, used: u32) -> u32 {
        // SAFETY: a synchronous call on the thread that alone can reach the array.
        let out = unsafe { out.as_mut() };
        let room = out.len().min(room as usize);
        self.block().map_or(0, |block| {
            block.refill(&mut out[..room], used.into()) as u32
        })
    }

    /// Fills `out` from `at` on as far as the ids in memory go; returns how many.
    #[napi]
    pub fn fill(&self, mut out: BigUint64ArraySlice<'_>, at: u32) -> u32 {
        // SAFETY: as in `refill`.
        let out = unsafe { out.as_mut() };
        match (self.block(), out.get_mut(at as usize..)) {
            (Ok(block), Some(rest)) => block.generator().try_fill(rest) as u32,
            _ => 0,
        }
    }

    /// Starts a refill, for a caller that found no id and does not wait.
    #[napi]
    pub fn want_refill(&self) {
        if let Ok(block) = self.block() {
            block.generator().want_refill();
        }
    }

    /// Waits at most `limit` ms until ids may be in memory, for `callers` new ones that want
    /// `missing` ids; `false` if they did not come.
    #[napi(ts_return_type = "Promise<boolean>")]
    pub fn wait_for_ids<'env>(
        &self,
        env: &'env Env,
        missing: f64,
        callers: u32,
        limit: f64,
    ) -> napi::Result<Object<'env>> {
        let (promise, task) = self.wait(env, move |block| {
            let limit = duration(limit);
            let waiting = whole("missing", missing)
                .map(|missing| block.wait(Need::of(missing), callers.into(), limit));
            async move { waiting?.await }
        })?;
        self.open.lock().waits.set_queue(task);
        Ok(promise)
    }

    /// Ends the wait of the realm's queue, in which nobody is left.
    #[napi]
    pub fn end_wait(&self) {
        self.open.lock().waits.end_queue();
    }

    /// What a caller is told who has waited for `limit` ms in vain: a chain of failures.
    #[napi]
    pub fn timed_out(&self, limit: f64) -> Vec<Failure> {
        match self.block() {
            Ok(block) => chain(&block.generator().timed_out(duration(limit))),
            Err(error) => chain(&error),
        }
    }

    /// Waits until `count` ids are in memory, at most `limit` ms where that is given.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn ready<'env>(
        &self,
        env: &'env Env,
        count: u32,
        limit: Option<f64>,
    ) -> napi::Result<Object<'env>> {
        self.wait_within(env, limit, move |block| {
            block.generator().ready(count.into())
        })
    }

    /// Reserves a run of `size` ids, within `limit` ms where that is given.
    #[napi(ts_return_type = "Promise<NativeRange>")]
    pub fn next_range<'env>(
        &self,
        env: &'env Env,
        size: f64,
        limit: Option<f64>,
    ) -> napi::Result<Object<'env>> {
        self.wait_within(env, limit, move |block| {
            let reservation = whole("size", size).map(|size| block.generator().next_range(size));
            async move { reservation?.await.map(NativeRange::from) }
        })
    }

    /// When the ids of the last refill are too old, on the scale of `now`.
    #[napi]
    pub fn expires(&self) -> Option<f64> {
        let expires = self.block().ok()?.expires()?;
        Some(expires.since_origin().as_secs_f64() * 1e3)
    }

    /// How long a caller waits, in ms.
    #[napi(getter)]
    pub fn reserve_timeout(&self) -> f64 {
        self.block().map_or(0.0, |block| {
            block.generator().reserve_timeout().as_secs_f64() * 1e3
        })
    }

    /// Whether ids grow too old.
    #[napi(getter)]
    pub fn has_ttl(&self) -> bool {
        self.block()
            .is_ok_and(|block| block.generator().range_ttl().is_some())
    }

    /// Whether its clock is moved by hand, and the one that `now` reads is not the one to go by.
    #[napi(getter)]
    pub fn has_manual_clock(&self) -> bool {
        self.block()
            .is_ok_and(|block| block.generator().has_manual_clock())
    }

    /// The present on its clock, in ms.
    #[napi]
    pub fn now(&self) -> f64 {
        self.block().map_or(0.0, |block| {
            block.generator().now().since_origin().as_secs_f64() * 1e3
        })
    }

    /// Gives up on `ids` of the block.
    #[napi]
    pub fn lose(&self, ids: u32) {
        if let Ok(block) = self.block() {
            block.lose(ids.into());
        }
    }

    /// Gives up on `ids` that `fill` wrote and nobody was handed.
    #[napi]
    pub fn waste(&self, ids: u32) {
        if let Ok(block) = self.block() {
            block.waste(ids.into());
        }
    }

    /// What has been done so far, after `used` ids of the block were handed out.
    #[napi]
    pub fn stats(&self, used: u32) -> Option<NativeStats> {
        let block = self.block().ok()?;
        block.report(used.into());
        Some(block.stats().into())
    }

    /// The options in force.
    #[napi]
    pub fn describe(&self) -> Vec<NativeField> {
        let rows = self.block().map(|block| block.generator().describe());
        rows.unwrap_or_default()
            .into_iter()
            .map(|(spec, value)| NativeField::new(spec.name, value))
            .collect()
    }

    /// How it is, after `used` ids of the block were handed out.
    #[napi]
    pub fn health(&self, used: u32) -> Option<NativeHealth> {
        let block = self.block().ok()?;
        block.report(used.into());
        Some(block.generator().health().into())
    }

    /// Lets go of the generator and ends what waits; the ids of the block are lost.
    #[napi]
    pub fn close(&self) {
        let open = std::mem::take(&mut *self.open.lock());
        open.waits.end();
    }
}

/// The present on the clock by which ids grow old, in ms.
#[napi]
pub fn now() -> f64 {
    SystemTimer.now().since_origin().as_secs_f64() * 1e3
}
