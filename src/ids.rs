//! The class behind `Ids`.

use mintid::stores::{Counter, Diagnosis, Machine};
use mintid::{Error, Ids};
use napi::Env;
use napi::bindgen_prelude::{BigInt, Object};
use napi_derive::napi;
use parking_lot::Mutex;

use crate::error::{Thrown, thrown};
use crate::options::{IdsInput, SegmentInput, SnowflakeInput, id};
use crate::promise::promise;
use crate::segment::NativeSegment;
use crate::snowflake::NativeSnowflake;

/// A store and a namespace.
#[napi]
pub struct NativeIds {
    /// `None` once closed.
    ids: Mutex<Option<Ids>>,
    store: String,
}

/// What a store remembers of a key.
#[napi(object, object_from_js = false)]
pub struct NativeCounter {
    /// The key.
    pub key: String,
    /// The highest id granted; none for a key that was sealed before it was used.
    pub value: Option<BigInt>,
    /// Whether it grants no more ids.
    pub sealed: bool,
}

impl From<Counter> for NativeCounter {
    fn from(counter: Counter) -> Self {
        Self {
            key: counter.key,
            value: counter.value.map(BigInt::from),
            sealed: counter.sealed,
        }
    }
}

/// What a store remembers of a machine number.
#[napi(object, object_from_js = false)]
pub struct NativeMachine {
    /// The number.
    pub machine: u32,
    /// Who holds it, or did last; empty once it was given back.
    pub owner: String,
    /// Until when, in Unix ms by the store's clock; 0 where that is not known.
    pub deadline: f64,
    /// The highest time that its holders may have used, in Unix ms; 0 where that is not known.
    pub ceiling: f64,
    /// Whether it is held at this moment.
    pub is_held: bool,
    /// Whether the holder is a client that keeps no records.
    pub is_foreign: bool,
}

impl From<Machine> for NativeMachine {
    fn from(machine: Machine) -> Self {
        Self {
            machine: machine.machine,
            owner: machine.owner,
            deadline: machine.deadline_ms as f64,
            ceiling: machine.ceiling_ms as f64,
            is_held: machine.is_held,
            is_foreign: machine.is_foreign,
        }
    }
}

/// What a store is like.
#[napi(object, object_from_js = false)]
pub struct NativeDiagnosis {
    /// What it is, by name.
    pub facts: Vec<NativeFact>,
    /// What that means.
    pub findings: Vec<NativeFinding>,
}

/// Something that a store is.
#[napi(object, object_from_js = false)]
pub struct NativeFact {
    /// What it is called.
    pub name: String,
    /// What was found.
    pub value: String,
}

/// Something that is well or not.
#[napi(object, object_from_js = false)]
pub struct NativeFinding {
    /// `ok`, `advice` or `danger`.
    pub level: String,
    /// What was found.
    pub what: String,
    /// What to change; empty where there is nothing to.
    pub advice: String,
}

impl From<Diagnosis> for NativeDiagnosis {
    fn from(told: Diagnosis) -> Self {
        let facts = told.facts.into_iter();
        let findings = told.findings.into_iter();
        Self {
            facts: facts
                .map(|(name, value)| NativeFact { name, value })
                .collect(),
            findings: findings
                .map(|finding| NativeFinding {
                    level: finding.level.as_str().to_owned(),
                    what: finding.what,
                    advice: finding.advice,
                })
                .collect(),
        }
    }
}

#[napi]
impl NativeIds {
    /// Reads the URL; reaches for nothing.
    #[napi(constructor)]
    pub fn new(url: String, options: IdsInput) -> Result<Self, Thrown> {
        let ids = options
            .try_into()
            .and_then(|options| Ids::with_options(&url, &options))
            .map_err(|error| thrown(&error))?;
        Ok(Self::of(ids))
    }

    /// The generators of the store that the process was given, if it was.
    #[napi]
    pub fn of_process() -> Option<NativeIds> {
        mintid::default_ids().map(Self::of)
    }

    /// Makes the store of a URL the one that the process uses for constants.
    #[napi]
    pub fn init_process(url: String, options: IdsInput) -> Result<NativeIds, Thrown> {
        options
            .try_into()
            .and_then(|options| mintid::init_with(&url, &options))
            .map(Self::of)
            .map_err(|error| thrown(&error))
    }

    /// The store's name, without its password.
    #[napi(getter)]
    pub fn store(&self) -> &str {
        &self.store
    }

    /// The generator of a name.
    #[napi]
    pub fn segment(&self, name: String, options: SegmentInput) -> Result<NativeSegment, Thrown> {
        let ids = self.open().map_err(|error| thrown(&error))?;
        options
            .try_into()
            .and_then(|options| ids.segment_with(&name, &options))
            .map(NativeSegment::new)
            .map_err(|error| thrown(&error))
    }

    /// The generator of a name that is a constant: with its own policy where nobody chose one.
    #[napi]
    pub fn kvid(&self, name: String, options: SegmentInput) -> Result<NativeSegment, Thrown> {
        let ids = self.open().map_err(|error| thrown(&error))?;
        options
            .try_into()
            .and_then(|options| ids.kvid(&name, &options))
            .map(NativeSegment::new)
            .map_err(|error| thrown(&error))
    }

    /// The Snowflake generator of a name.
    #[napi]
    pub fn snowflake(
        &self,
        name: String,
        options: SnowflakeInput,
    ) -> Result<NativeSnowflake, Thrown> {
        let ids = self.open().map_err(|error| thrown(&error))?;
        options
            .try_into()
            .and_then(|options| ids.snowflake_with(&name, &options))
            .map(NativeSnowflake::new)
            .map_err(|error| thrown(&error))
    }

    /// Who holds which machine number.
    #[napi(ts_return_type = "Promise<NativeMachine[]>")]
    pub fn machines<'env>(&self, env: &'env Env) -> napi::Result<Object<'env>> {
        let machines = self.open().map(|ids| ids.machines());
        let listing = async move {
            let machines = machines?.await?;
            Ok(machines
                .into_iter()
                .map(NativeMachine::from)
                .collect::<Vec<_>>())
        };
        Ok(promise(env, listing)?.0)
    }

    /// Frees a machine number by force; `true` if it was held.
    #[napi(ts_return_type = "Promise<boolean>")]
    pub fn free_machine<'env>(&self, env: &'env Env, machine: u32) -> napi::Result<Object<'env>> {
        let freeing = self.open().map(|ids| ids.free_machine(machine));
        Ok(promise(env, async move { freeing?.await })?.0)
    }

    /// The counters whose names begin with `prefix`.
    #[napi(ts_return_type = "Promise<NativeCounter[]>")]
    pub fn list<'env>(&self, env: &'env Env, prefix: String) -> napi::Result<Object<'env>> {
        let counters = self.open().map(|ids| ids.list(&prefix));
        let listing = async move {
            let counters = counters?.await?;
            Ok(counters
                .into_iter()
                .map(NativeCounter::from)
                .collect::<Vec<_>>())
        };
        Ok(promise(env, listing)?.0)
    }

    /// Raises the counter `name` to at least `value`; `true` if it was lower.
    #[napi(ts_return_type = "Promise<boolean>")]
    pub fn floor<'env>(
        &self,
        env: &'env Env,
        name: String,
        value: BigInt,
    ) -> napi::Result<Object<'env>> {
        let raising = self.open().and_then(|ids| {
            let value = id("value", Some(value))?.unwrap_or_default();
            Ok(ids.floor(&name, value))
        });
        Ok(promise(env, async move { raising?.await })?.0)
    }

    /// What the store is like, and whether counters are safe in it.
    #[napi(ts_return_type = "Promise<NativeDiagnosis>")]
    pub fn diagnose<'env>(&self, env: &'env Env) -> napi::Result<Object<'env>> {
        let looking = self.open().map(|ids| ids.diagnose());
        let looking = async move { Ok(NativeDiagnosis::from(looking?.await?)) };
        Ok(promise(env, looking)?.0)
    }

    /// Waits until the store answers.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn ready<'env>(&self, env: &'env Env) -> napi::Result<Object<'env>> {
        let answer = self.open().map(|ids| ids.ready());
        Ok(promise(env, async move { answer?.await })?.0)
    }

    /// Lets go of the store.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn close<'env>(&self, env: &'env Env) -> napi::Result<Object<'env>> {
        let ids = self.ids.lock().take();
        let closing = async move {
            match ids {
                Some(ids) => ids.close().await,
                None => Ok(()),
            }
        };
        Ok(promise(env, closing)?.0)
    }

    pub(crate) fn of(ids: Ids) -> Self {
        Self {
            store: ids.store().to_owned(),
            ids: Mutex::new(Some(ids)),
        }
    }

    fn open(&self) -> mintid::Result<Ids> {
        self.ids.lock().clone().ok_or_else(|| Error::Closed {
            name: self.store.clone(),
        })
    }
}

/// Tells this addon from other copies of it in the process: numbers of generators are its own.
#[napi]
pub fn copy_id() -> String {
    format!("{:016x}", mintid::copy_id())
}
