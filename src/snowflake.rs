//! The class behind a realm's hold on the Snowflake ids of one lease.

use std::time::Duration;

use mintid::{Error, Range, SnowflakeGenerator, Why};
use napi::Env;
use napi::bindgen_prelude::{BigInt, BigUint64ArraySlice, Object};
use napi_derive::napi;
use parking_lot::Mutex;
use tokio::task::AbortHandle;

use crate::error::{Failure, Thrown, chain, thrown};
use crate::options::{NativeField, id, whole};
use crate::promise::promise;
use crate::waits::{Waits, duration};

/// A realm's hold on a generator. Every call is made on the realm's own thread.
#[napi]
pub struct NativeSnowflake {
    number: u64,
    key: String,
    open: Mutex<Open>,
}

/// What is let go of by `close`.
#[derive(Default)]
struct Open {
    generator: Option<SnowflakeGenerator>,
    /// Why the last refill gave nothing.
    why: Option<NativeRefusal>,
    waits: Waits,
}

/// Why there is no id at this moment.
#[napi(object, object_from_js = false)]
#[derive(Clone)]
pub struct NativeRefusal {
    /// `full`, `behind`, `lease` or `failed`.
    pub kind: String,
    /// After how many ms there may be one.
    pub wait_ms: f64,
    /// What a caller is told that does not wait.
    pub chain: Vec<Failure>,
}

/// What an id was made of.
#[napi(object, object_from_js = false)]
pub struct NativeParts {
    /// The begin of its tick, in Unix ms.
    pub timestamp: f64,
    /// The machine number.
    pub machine: u32,
    /// The number within the tick.
    pub sequence: u32,
}

/// What the generators of a lease have done so far.
#[napi(object, object_from_js = false)]
#[expect(
    missing_docs,
    reason = "the engine's `SnowflakeStats` says what each is"
)]
pub struct NativeSnowflakeStats {
    pub issued: f64,
    pub wasted: f64,
    pub waits: f64,
    pub leases: f64,
    pub losses: f64,
    pub failures: f64,
}

/// How a lease is.
#[napi(object, object_from_js = false)]
pub struct NativeLease {
    /// The machine number.
    pub machine: u32,
    /// How long it lasts without a renewal, in ms.
    pub remaining_ms: f64,
}

impl NativeSnowflake {
    pub(crate) fn new(generator: SnowflakeGenerator) -> Self {
        Self {
            number: generator.number(),
            key: generator.scope().to_owned(),
            open: Mutex::new(Open {
                generator: Some(generator),
                ..Open::default()
            }),
        }
    }

    fn generator(&self) -> mintid::Result<SnowflakeGenerator> {
        self.open
            .lock()
            .generator
            .clone()
            .ok_or_else(|| Error::Closed {
                name: self.key.clone(),
            })
    }

    fn closed(&self) -> NativeRefusal {
        NativeRefusal {
            kind: "failed".to_owned(),
            wait_ms: 0.0,
            chain: chain(&Error::Closed {
                name: self.key.clone(),
            }),
        }
    }

    /// A promise that `close` ends.
    fn wait<'env, T, F>(
        &self,
        env: &'env Env,
        work: impl FnOnce(SnowflakeGenerator) -> F,
    ) -> napi::Result<(Object<'env>, AbortHandle)>
    where
        T: napi::bindgen_prelude::ToNapiValue + Send + 'static,
        F: Future<Output = mintid::Result<T>> + Send + 'static,
    {
        let work = self.generator().map(work);
        let (promise, task) = promise(env, async move { work?.await })?;
        self.open.lock().waits.add(task.clone());
        Ok((promise, task))
    }
}

fn refusal(refusal: &mintid::Refusal) -> NativeRefusal {
    let (kind, wait) = match refusal.why {
        Why::Full(wait) => ("full", wait),
        Why::Behind(wait) => ("behind", wait),
        Why::NoLease => ("lease", Duration::ZERO),
        Why::Failed => ("failed", Duration::ZERO),
    };
    NativeRefusal {
        kind: kind.to_owned(),
        wait_ms: wait.as_secs_f64() * 1e3,
        chain: chain(&refusal.error),
    }
}

#[napi]
impl NativeSnowflake {
    /// The number of the lease, which all generators on it share.
    #[napi(getter)]
    pub fn id(&self) -> f64 {
        self.number as f64
    }

    /// The same number: what blocks and waiters are shared by.
    #[napi(getter)]
    pub fn lease(&self) -> f64 {
        self.number as f64
    }

    /// What the store keeps the leases under.
    #[napi(getter)]
    pub fn key(&self) -> &str {
        &self.key
    }

    /// How long a caller waits, in ms.
    #[napi(getter)]
    pub fn reserve_timeout(&self) -> f64 {
        self.generator().map_or(0.0, |generator| {
            generator.reserve_timeout().as_secs_f64() * 1e3
        })
    }

    /// Whether its clocks are moved by hand.
    #[napi(getter)]
    pub fn has_manual_clock(&self) -> bool {
        self.generator()
            .is_ok_and(|generator| generator.has_manual_clock())
    }

    /// The time of day, in Unix ms.
    #[napi]
    pub fn now(&self) -> f64 {
        self.generator()
            .map_or(0.0, |generator| generator.unix_ms() as f64)
    }

    /// Draws up to `room` ids of the present tick into `out`, from the index `at` on; how many.
    /// 0 where there is none: `why` says why.
    #[napi]
    pub fn refill(&self, mut out: BigUint64ArraySlice<'_>, at: u32, room: u32) -> u32 {
        // Held throughout: the realm has one thread, and nobody else takes it for long.
        let mut open = self.open.lock();
        let Some(generator) = &open.generator else {
            open.why = Some(self.closed());
            return 0;
        };
        // SAFETY: JavaScript made the array and holds it for the length of this call, in which no
        // JavaScript runs: nobody else reads or writes it, and it is not detached.
        let out = unsafe { out.as_mut() };
        let out = out.get_mut(at as usize..).unwrap_or_default();
        let room = room.min(u32::try_from(out.len()).unwrap_or(u32::MAX));
        if room == 0 {
            return 0;
        }
        match generator.try_draw(room) {
            Ok((first, count)) => {
                let ids = Range {
                    start: first,
                    end: first + u64::from(count),
                };
                ids.write_to(out) as u32
            }
            Err(refused) => {
                open.why = Some(refusal(&refused));
                0
            }
        }
    }

    /// Why the last refill gave nothing.
    #[napi]
    pub fn why(&self) -> NativeRefusal {
        let why = self.open.lock().why.clone();
        why.unwrap_or_else(|| self.closed())
    }

    /// Waits at most `limit` ms for a machine number; `false` if none was had.
    #[napi(ts_return_type = "Promise<boolean>")]
    pub fn wait_for_lease<'env>(&self, env: &'env Env, limit: f64) -> napi::Result<Object<'env>> {
        let (promise, task) = self.wait(env, move |generator| async move {
            let limit = duration(limit);
            generator.wait_for_lease(generator.now() + limit).await
        })?;
        self.open.lock().waits.set_queue(task);
        Ok(promise)
    }

    /// Ends the wait of the realm's queue, in which nobody is left.
    #[napi]
    pub fn end_wait(&self) {
        self.open.lock().waits.end_queue();
    }

    /// Waits until a machine number is held: as long as it takes, or `limit` ms.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn ready<'env>(&self, env: &'env Env, limit: Option<f64>) -> napi::Result<Object<'env>> {
        let (promise, _) = self.wait(env, move |generator| async move {
            let Some(limit) = limit else {
                return generator.ready().await;
            };
            let limit = duration(limit);
            if generator.wait_for_lease(generator.now() + limit).await? {
                return Ok(());
            }
            generator.refusal().map_or(Ok(()), Err)
        })?;
        Ok(promise)
    }

    /// The machine number, while one is held.
    #[napi(getter)]
    pub fn machine(&self) -> Option<u32> {
        self.generator().ok()?.machine()
    }

    /// What an id was made of.
    #[napi]
    pub fn parse(&self, value: BigInt) -> Result<NativeParts, Thrown> {
        let parts = id("id", Some(value))
            .and_then(|value| self.generator()?.parse(value.unwrap_or_default()));
        parts
            .map(|parts| NativeParts {
                timestamp: parts.timestamp_ms as f64,
                machine: parts.machine,
                sequence: parts.sequence,
            })
            .map_err(|error| thrown(&error))
    }

    /// The lowest id that can hold a time, in Unix ms.
    #[napi]
    pub fn min_id_at(&self, unix_ms: f64) -> Result<BigInt, Thrown> {
        self.id_at(unix_ms, |generator, ms| generator.layout().min_id_at(ms))
    }

    /// The highest id that can hold a time, in Unix ms.
    #[napi]
    pub fn max_id_at(&self, unix_ms: f64) -> Result<BigInt, Thrown> {
        self.id_at(unix_ms, |generator, ms| generator.layout().max_id_at(ms))
    }

    fn id_at(
        &self,
        unix_ms: f64,
        find: impl FnOnce(&SnowflakeGenerator, u64) -> u64,
    ) -> Result<BigInt, Thrown> {
        let found =
            whole("date", unix_ms.max(0.0).floor()).and_then(|ms| Ok(find(&self.generator()?, ms)));
        found.map(BigInt::from).map_err(|error| thrown(&error))
    }

    /// The options in force; those of the lease and the layout by their paths.
    #[napi]
    pub fn describe(&self) -> Vec<NativeField> {
        let Ok(generator) = self.generator() else {
            return Vec::new();
        };
        let rows = generator.describe().into_iter();
        rows.map(|(spec, value)| NativeField::new(&spec.path(), value))
            .collect()
    }

    /// When the layout ends, and when its ids pass 2^53 − 1, in Unix ms.
    #[napi]
    pub fn ends(&self) -> Vec<Option<f64>> {
        let Ok(generator) = self.generator() else {
            return Vec::new();
        };
        let layout = generator.layout();
        let passes_safe = layout.passes_safe_at().map(|ms| ms as f64);
        vec![Some(layout.ends_at() as f64), passes_safe]
    }

    /// What the generators of the lease have done so far.
    #[napi]
    pub fn stats(&self) -> Option<NativeSnowflakeStats> {
        let stats = self.generator().ok()?.stats();
        Some(NativeSnowflakeStats {
            issued: stats.issued as f64,
            wasted: stats.wasted as f64,
            waits: stats.waits as f64,
            leases: stats.leases as f64,
            losses: stats.losses as f64,
            failures: stats.failures as f64,
        })
    }

    /// How the lease is, while one is held.
    #[napi]
    pub fn health(&self) -> Option<NativeLease> {
        let health = self.generator().ok()?.health()?;
        Some(NativeLease {
            machine: health.machine,
            remaining_ms: health.remaining.as_secs_f64() * 1e3,
        })
    }

    /// Counts ids that were drawn and are not handed out.
    #[napi]
    pub fn waste(&self, ids: u32) {
        if let Ok(generator) = self.generator() {
            generator.waste(ids.into());
        }
    }

    /// Counts callers that had to wait.
    #[napi]
    pub fn count_waits(&self, callers: u32) {
        if let Ok(generator) = self.generator() {
            generator.count_waits(callers.into());
        }
    }

    /// Lets go of the generator; the machine number is given back with the last one.
    #[napi]
    pub fn close(&self) {
        let open = std::mem::take(&mut *self.open.lock());
        open.waits.end();
    }
}
