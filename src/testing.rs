//! What tests of users stand on: a store that fails to order, and time that is moved by hand.

use std::sync::Arc;
use std::time::Duration;

use mintid::stores::RangeStore;
use mintid::stores::faulty::{Fault, FaultyStore};
use mintid::stores::memory::MemoryStore;
use mintid::{
    Clock, Error, Ids, IdsOptions, Key, ManualTimer, Moment, Name, Namespace, Result, Timer,
};
use napi::Env;
use napi::bindgen_prelude::{BigInt, Object};
use napi_derive::napi;

use crate::error::{Thrown, thrown};
use crate::ids::NativeIds;
use crate::options::{IdsInput, id};
use crate::promise::promise;

/// A store in memory and a clock of its own.
#[napi]
pub struct NativeTestBench {
    timer: Arc<ManualTimer>,
    store: Arc<FaultyStore>,
    options: IdsOptions,
    namespace: Namespace,
}

#[napi]
impl NativeTestBench {
    /// A store without a fault; its clock stands at 0.
    #[napi(constructor)]
    pub fn new(options: IdsInput) -> std::result::Result<Self, Thrown> {
        let options: Result<IdsOptions> = options.try_into();
        options
            .and_then(Self::of_options)
            .map_err(|error| thrown(&error))
    }

    fn of_options(options: IdsOptions) -> Result<Self> {
        let timer = Arc::new(ManualTimer::default());
        let memory = MemoryStore::named("test").with_clock({
            let timer = Arc::clone(&timer);
            move || timer.unix_ms()
        });
        let store = FaultyStore::new(memory, {
            let timer = Arc::clone(&timer);
            move |time| timer.sleep_until(timer.now() + time)
        });
        Ok(Self {
            timer,
            store: Arc::new(store),
            namespace: options.namespace()?,
            options,
        })
    }

    /// The generators on the store, by the clock.
    #[napi]
    pub fn ids(&self) -> std::result::Result<NativeIds, Thrown> {
        Ids::of_store(self.store.clone(), self.timer.clone(), &self.options)
            .map(NativeIds::of)
            .map_err(|error| thrown(&error))
    }

    /// Sets the time of day ahead by `ms`, or back: whoever waits notices nothing.
    #[napi]
    pub fn walk(&self, ms: f64) {
        // JavaScript lets whole numbers pass, and none beyond a thousand years.
        self.timer.walk(ms as i64);
    }

    /// Every reservation fails, and so do connections.
    #[napi]
    pub fn fail(&self, message: String) {
        self.store.always(self.refusal(message));
    }

    /// The next reservations fail.
    #[napi]
    pub fn fail_next(&self, reservations: u32, message: String) {
        for _ in 0..reservations {
            self.store.once(self.refusal(message.clone()));
        }
    }

    /// The next reservations are granted, and answered with an error.
    #[napi]
    pub fn lose_next_reply(&self, reservations: u32) {
        for _ in 0..reservations {
            self.store.once(Fault::LosesReply);
        }
    }

    /// No call is answered.
    #[napi]
    pub fn hang(&self) {
        self.store.always(Fault::Hangs);
    }

    /// Every reservation takes `ms`.
    #[napi]
    pub fn delay(&self, ms: f64) {
        self.store.delay(duration(ms));
    }

    /// No fault any more; what hangs is answered.
    #[napi]
    pub fn recover(&self) {
        self.store.recover();
    }

    /// Sets the counter of `name` to `value`.
    #[napi]
    pub fn go_back(&self, name: String, value: BigInt) -> std::result::Result<(), Thrown> {
        self.key(&name)
            .and_then(|key| {
                let value = id("value", Some(value))?.unwrap_or_default();
                self.store.memory().rewind(&key, value);
                Ok(())
            })
            .map_err(|error| thrown(&error))
    }

    /// Forgets everything.
    #[napi]
    pub fn wipe(&self) {
        self.store.memory().wipe();
    }

    /// Seals the counter of `name`; `true` if it was not sealed.
    #[napi]
    pub fn seal(&self, name: String) -> std::result::Result<bool, Thrown> {
        self.key(&name)
            .map(|key| self.store.memory().seal_now(&key))
            .map_err(|error| thrown(&error))
    }

    /// How many reservations were asked for.
    #[napi(getter)]
    pub fn calls(&self) -> f64 {
        self.store.calls() as f64
    }

    /// The present on the clock, in ms.
    #[napi]
    pub fn now(&self) -> f64 {
        // From whole nanoseconds: whole milliseconds then come out whole.
        self.timer.now().since_origin().as_nanos() as f64 / 1e6
    }

    /// Moves the clock to where something is due next, but not past `end`; `false` once it is
    /// there.
    #[napi]
    pub fn step(&self, end: f64) -> bool {
        self.timer.step(Moment::new(duration(end)))
    }

    /// Resolves when the engine has done what it can do without time passing.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn settle<'env>(&self, env: &'env Env) -> napi::Result<Object<'env>> {
        let settled = async {
            mintid::settle().await;
            Ok(())
        };
        Ok(promise(env, settled)?.0)
    }

    /// A number that grows whenever the engine asks for something or begins to wait.
    #[napi(getter)]
    pub fn activity(&self) -> f64 {
        self.timer.sleeps() as f64 + self.calls()
    }

    fn key(&self, name: &str) -> Result<Key> {
        Ok(self.namespace.segment_key(&Name::new(name)?))
    }

    fn refusal(&self, reason: String) -> Fault {
        Fault::Refuses(Error::Store {
            store: self.store.name().to_owned(),
            reason,
        })
    }
}

fn duration(ms: f64) -> Duration {
    Duration::from_secs_f64(ms / 1e3)
}
