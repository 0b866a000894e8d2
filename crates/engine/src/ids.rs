//! Where generators come from: a store and a namespace.

use std::sync::{Arc, Weak};

use mintid_core::options::{IdsOptions, PolicyName, SegmentOptions, SnowflakeOptions};
use mintid_core::{Name, Namespace, Result};
use mintid_stores::{Counter, Diagnosis, LeaseScope, Machine, RangeStore};

use crate::engine::Open;
use crate::generator::SegmentGenerator;
use crate::snowflake::{OpenLease, SnowflakeGenerator};
use crate::store::{OpenStore, leases};
use crate::timer::Timer;

/// A store, and the generators on it.
///
/// Made at once and connected at first use: nothing fails because a server is away. Two of the
/// same URL share one connection, and generators of one name are one counter.
#[derive(Clone)]
pub struct Ids {
    open: Arc<OpenStore>,
    namespace: Namespace,
}

/// The same store, as this process has it open, and the same namespace.
impl PartialEq for Ids {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.open, &other.open) && self.namespace == other.namespace
    }
}

/// An [`Ids`] that keeps nothing open.
pub(crate) struct WeakIds {
    open: Weak<OpenStore>,
    namespace: Namespace,
}

impl WeakIds {
    /// The `Ids`, if somebody still holds the store.
    pub(crate) fn upgrade(&self) -> Option<Ids> {
        Some(Ids {
            open: self.open.upgrade()?,
            namespace: self.namespace.clone(),
        })
    }
}

/// How a generator is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Health {
    /// What the store remembers it under.
    pub key: String,
    /// Ids in memory.
    pub remaining: u64,
    /// How long the last reservation took.
    pub last_refill_ms: Option<u64>,
    /// Whether the last reservation failed.
    pub is_failing: bool,
}

impl Ids {
    /// The generators of the store at `url`: `memory:`, `memory:NAME`, `sqlite:PATH`,
    /// `redis://HOST:PORT` and its kin.
    ///
    /// # Errors
    /// `CONFIG_INVALID` naming what is wrong with the URL.
    pub fn new(url: &str) -> Result<Self> {
        Self::with_options(url, &IdsOptions::default())
    }

    /// The generators of the store at `url`, with options.
    ///
    /// # Errors
    /// `CONFIG_INVALID` naming the option, its value and what is accepted; also for an option that
    /// differs from the one under which this process has the store open.
    pub fn with_options(url: &str, options: &IdsOptions) -> Result<Self> {
        Ok(Self {
            namespace: options.namespace()?,
            open: OpenStore::open(url, options)?,
        })
    }

    /// The generators of a store of the caller's own, by a clock of the caller's own.
    ///
    /// # Errors
    /// `CONFIG_INVALID` as for [`with_options`](Self::with_options).
    pub fn of_store(
        store: Arc<dyn RangeStore>,
        timer: Arc<dyn Timer>,
        options: &IdsOptions,
    ) -> Result<Self> {
        Ok(Self {
            namespace: options.namespace()?,
            open: OpenStore::of(store, options.plan()?, Arc::default(), timer),
        })
    }

    pub(crate) fn on(open: Arc<OpenStore>, namespace: Namespace) -> Self {
        Self { open, namespace }
    }

    pub(crate) fn downgrade(&self) -> WeakIds {
        WeakIds {
            open: Arc::downgrade(&self.open),
            namespace: self.namespace.clone(),
        }
    }

    /// The store's name, without its password.
    pub fn store(&self) -> &str {
        self.open.store.ranges.name()
    }

    /// The dense counter `name`, with default options.
    ///
    /// # Errors
    /// `CONFIG_INVALID` for a name that cannot be used.
    pub fn segment(&self, name: &str) -> Result<SegmentGenerator> {
        self.segment_with(name, &SegmentOptions::default())
    }

    /// The dense counter `name`. What is left out matches whatever other handles have.
    ///
    /// # Errors
    /// `CONFIG_INVALID` naming the option, its value and what is accepted; also for an option that
    /// differs from another handle's.
    pub fn segment_with(&self, name: &str, options: &SegmentOptions) -> Result<SegmentGenerator> {
        self.open(name, options, PolicyName::Lookahead)
    }

    /// As [`segment_with`](Self::segment_with), with the policy of a [`KvId`](crate::KvId) where
    /// none is given and no other handle has one.
    ///
    /// # Errors
    /// As for [`segment_with`](Self::segment_with).
    pub fn kvid(&self, name: &str, options: &SegmentOptions) -> Result<SegmentGenerator> {
        self.open(name, options, PolicyName::Proportional)
    }

    /// Snowflake ids, with default options.
    ///
    /// # Errors
    /// `CONFIG_INVALID` for a name that cannot be used, and a store that leases no numbers.
    pub fn snowflake(&self, name: &str) -> Result<SnowflakeGenerator> {
        self.snowflake_with(name, &SnowflakeOptions::default())
    }

    /// Snowflake ids. All generators of one store and namespace share one machine number and one
    /// sequence; what is left out matches whatever other handles have.
    ///
    /// # Errors
    /// As for [`snowflake`](Self::snowflake), and naming the option for one that is out of bounds
    /// or differs from another handle's.
    pub fn snowflake_with(
        &self,
        name: &str,
        options: &SnowflakeOptions,
    ) -> Result<SnowflakeGenerator> {
        let name = Name::new(name)?;
        let open = OpenLease::of(&self.open, &self.namespace, options)?;
        Ok(SnowflakeGenerator::new(name.as_str(), open))
    }

    /// Who holds which machine number of this namespace.
    ///
    /// # Errors
    /// `CONFIG_INVALID` for a store that leases none, and as for [`LeaseStore::machines`](mintid_stores::LeaseStore::machines).
    pub fn machines(&self) -> impl Future<Output = Result<Vec<Machine>>> + Send + use<> {
        let scope = LeaseScope::new(&self.namespace);
        let store = &self.open.store;
        store.run(move |ranges| async move { leases(&*ranges)?.machines(scope).await })
    }

    /// Frees a machine number by force, whoever holds it; its ceiling stays. `false` if nobody
    /// did.
    ///
    /// # Errors
    /// As for [`machines`](Self::machines).
    pub fn free_machine(&self, machine: u32) -> impl Future<Output = Result<bool>> + Send + use<> {
        let scope = LeaseScope::new(&self.namespace);
        let store = &self.open.store;
        store.run(move |ranges| async move { leases(&*ranges)?.free(scope, machine).await })
    }

    fn open(
        &self,
        name: &str,
        options: &SegmentOptions,
        default: PolicyName,
    ) -> Result<SegmentGenerator> {
        let name = Name::new(name)?;
        let open = Open::segment(&self.open, &self.namespace, &name, options, default)?;
        Ok(SegmentGenerator::new(open))
    }

    /// The counters of this namespace whose names begin with `prefix`, by their keys.
    ///
    /// # Errors
    /// As for [`RangeStore::list`].
    pub fn list(&self, prefix: &str) -> impl Future<Output = Result<Vec<Counter>>> + Send + use<> {
        let prefix = self.namespace.prefix(prefix);
        let store = &self.open.store;
        store.run(move |ranges| async move { ranges.list(prefix).await })
    }

    /// Raises the counter `name` to at least `value`; `true` if it was lower.
    ///
    /// # Errors
    /// As for [`RangeStore::floor`], and `CONFIG_INVALID` for a name that cannot be used.
    pub fn floor(
        &self,
        name: &str,
        value: u64,
    ) -> impl Future<Output = Result<bool>> + Send + use<> {
        let key = Name::new(name).map(|name| self.namespace.segment_key(&name));
        let store = &self.open.store;
        store.run(move |ranges| async move { ranges.floor(key?, value).await })
    }

    /// What the store is like, and whether counters are safe in it.
    ///
    /// # Errors
    /// `STORE_UNAVAILABLE` if it does not answer within `connect_timeout`, or what it refused.
    pub fn diagnose(&self) -> impl Future<Output = Result<Diagnosis>> + Send + use<> {
        let store = Arc::clone(&self.open.store);
        async move {
            let mut told = store
                .in_time(|ranges| async move { ranges.diagnose().await })
                .await?;
            if store.plan.allow_create {
                told.advise(
                    "an unknown generator is created, also in a wrong or wiped store",
                    "set allowCreate: false after the first deployment",
                );
            } else {
                told.ok("an unknown generator is not created");
            }
            Ok(told)
        }
    }

    /// Waits until the store answers, at most `connect_timeout`.
    ///
    /// # Errors
    /// `STORE_UNAVAILABLE` with the reason as its cause, or `CONFIG_INVALID` for a place that can
    /// never work.
    pub fn ready(&self) -> impl Future<Output = Result<()>> + Send + use<> {
        let store = Arc::clone(&self.open.store);
        async move {
            store
                .in_time(|ranges| async move { ranges.connect().await })
                .await
        }
    }

    /// Lets go of the store; the connection ends with the last one who holds it.
    ///
    /// # Errors
    /// `STORE_ERROR` if the store could not be left in order.
    pub async fn close(self) -> Result<()> {
        match Arc::into_inner(self.open) {
            Some(open) => open.close().await,
            None => Ok(()),
        }
    }
}
