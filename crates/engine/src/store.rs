//! A store as this process shares it: one connection, one set of options, one memory of what it
//! has granted.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock, Weak};
use std::time::Duration;

use mintid_core::options::{IdsOptions, IdsPlan};
use mintid_core::{Error, Key, Result};
use mintid_stores::{LeaseScope, LeaseStore, RangeStore, StoreId};
use parking_lot::Mutex;
use tokio::task::JoinHandle;

use crate::engine::Open;
use crate::open::{Address, Place};
use crate::runtime::runtime;
use crate::snowflake::OpenLease;
use crate::timer::{SystemTimer, Timer};

/// The open stores of the process, by place.
static STORES: LazyLock<Mutex<HashMap<Place, Weak<OpenStore>>>> = LazyLock::new(Mutex::default);

/// What this process has seen of each place. It outlives generators, handles and connections: a
/// store that goes back while nobody holds it is noticed all the same.
static SEEN: LazyLock<Mutex<HashMap<Place, Arc<Seen>>>> = LazyLock::new(Mutex::default);

/// The highest ids and the identity of a store, as this process has seen them.
#[derive(Debug, Default)]
pub(crate) struct Seen(Mutex<Sightings>);

#[derive(Debug, Default)]
struct Sightings {
    store_id: Option<StoreId>,
    floors: HashMap<Key, u64>,
    /// The highest ticks minted under any machine number.
    ticks: HashMap<LeaseScope, u64>,
}

impl Seen {
    /// The highest id ever granted for `key`, and the store's id, as far as they were seen.
    pub(crate) fn recall(&self, key: &Key) -> (Option<u64>, Option<StoreId>) {
        let seen = self.0.lock();
        (seen.floors.get(key).copied(), seen.store_id.clone())
    }

    /// Notes that `last` was granted by the store `store_id`.
    pub(crate) fn note(&self, key: &Key, last: u64, store_id: StoreId) {
        let mut seen = self.0.lock();
        seen.store_id.get_or_insert(store_id);
        let floor = seen.floors.entry(key.clone()).or_default();
        *floor = last.max(*floor);
    }

    /// The highest tick that this process minted in `scope`, under any machine number.
    pub(crate) fn last_tick(&self, scope: &LeaseScope) -> Option<u64> {
        self.0.lock().ticks.get(scope).copied()
    }

    /// Notes that `tick` was minted in `scope`.
    pub(crate) fn note_tick(&self, scope: &LeaseScope, tick: u64) {
        let mut seen = self.0.lock();
        let last = seen.ticks.entry(scope.clone()).or_default();
        *last = tick.max(*last);
    }
}

/// What the users of a store share: it is closed when the last one lets go. Background tasks hold
/// the store alone and so keep nothing open.
pub(crate) struct OpenStore {
    pub(crate) store: Arc<Store>,
    /// The generators in use, by key. An entry dies with its last handle.
    pub(crate) generators: Mutex<HashMap<Key, Weak<Open>>>,
    /// The leases in use, by scope. As with generators.
    pub(crate) leases: Mutex<HashMap<LeaseScope, Weak<OpenLease>>>,
    /// Whether somebody closes the store who waits until it is done.
    is_awaited: AtomicBool,
}

/// A store with what belongs to it in this process.
pub(crate) struct Store {
    pub(crate) ranges: Arc<dyn RangeStore>,
    pub(crate) plan: IdsPlan,
    pub(crate) seen: Arc<Seen>,
    pub(crate) timer: Arc<dyn Timer>,
    /// What is still being said to the store by those who have let go of it.
    farewells: Mutex<Vec<JoinHandle<()>>>,
}

impl OpenStore {
    /// The store at `url`: the one that is open already, or a new one that connects at first use.
    ///
    /// # Errors
    /// `CONFIG_INVALID` for the URL, for options out of bounds, and for options that differ from
    /// those under which the store is open.
    pub(crate) fn open(url: &str, options: &IdsOptions) -> Result<Arc<Self>> {
        let mut options = options.clone();
        let address = Address::parse(url, &mut options)?;
        let plan = options.plan()?;
        let place = address.place(&plan);
        if place == Place::Private {
            let ranges = address.open(&plan)?;
            return Ok(Self::of(
                ranges,
                plan,
                Arc::default(),
                Arc::new(SystemTimer),
            ));
        }
        // Held throughout: two callers at once get one store.
        let mut stores = STORES.lock();
        if let Some(open) = stores.get(&place).and_then(Weak::upgrade) {
            open.store.plan.admit(&options)?;
            return Ok(open);
        }
        let seen = Arc::clone(SEEN.lock().entry(place.clone()).or_default());
        let store = Self::of(address.open(&plan)?, plan, seen, Arc::new(SystemTimer));
        stores.retain(|_, store| store.strong_count() > 0);
        stores.insert(place, Arc::downgrade(&store));
        Ok(store)
    }

    /// A store of the caller's own, known to nobody else.
    pub(crate) fn of(
        ranges: Arc<dyn RangeStore>,
        plan: IdsPlan,
        seen: Arc<Seen>,
        timer: Arc<dyn Timer>,
    ) -> Arc<Self> {
        let store = Arc::new(Store {
            ranges,
            plan,
            seen,
            timer,
            farewells: Mutex::default(),
        });
        Arc::new(Self {
            store,
            generators: Mutex::default(),
            leases: Mutex::default(),
            is_awaited: AtomicBool::new(false),
        })
    }
}

impl OpenStore {
    /// Closes the store, which nobody else holds, and waits until that is done.
    ///
    /// # Errors
    /// `STORE_ERROR` if it could not be left in order.
    pub(crate) async fn close(mut self) -> Result<()> {
        // Only one close may wait for what is still being said.
        *self.is_awaited.get_mut() = true;
        let store = Arc::clone(&self.store);
        drop(self);
        store.close().await
    }
}

impl Drop for OpenStore {
    fn drop(&mut self) {
        if !*self.is_awaited.get_mut() {
            drop(self.store.close());
        }
    }
}

impl Store {
    /// Begins `work` on the store. Stores run on our runtime, whoever waits for them and whether
    /// anybody does.
    pub(crate) fn run<T, F, W>(
        self: &Arc<Self>,
        work: W,
    ) -> impl Future<Output = Result<T>> + Send + use<T, F, W>
    where
        T: Send + 'static,
        F: Future<Output = Result<T>> + Send + 'static,
        W: FnOnce(Arc<dyn RangeStore>) -> F,
    {
        let store = Arc::clone(self);
        let task = runtime().spawn(work(Arc::clone(&store.ranges)));
        async move {
            task.await
                .unwrap_or_else(|failure| Err(store.broken(&failure)))
        }
    }

    /// The store's leases.
    ///
    /// # Errors
    /// `CONFIG_INVALID` for a store that has none.
    pub(crate) fn leases(&self) -> Result<&dyn LeaseStore> {
        leases(&*self.ranges)
    }

    /// Does `work`, for somebody who waits for the store to be ready: within `connect_timeout`.
    pub(crate) async fn in_time<T, F, W>(self: &Arc<Self>, work: W) -> Result<T>
    where
        T: Send + 'static,
        F: Future<Output = Result<T>> + Send + 'static,
        W: FnOnce(Arc<dyn RangeStore>) -> F,
    {
        let timeout = self.plan.connect_timeout;
        let limit = self.timer.sleep_until(self.timer.now() + timeout);
        let answer = tokio::select! {
            biased;
            answer = self.run(work) => answer,
            () = limit => Err(self.silent(timeout)),
        };
        answer.map_err(|error| self.unavailable(error))
    }

    fn silent(&self, timeout: Duration) -> Error {
        self.ranges.trouble().unwrap_or_else(|| Error::Store {
            store: self.ranges.name().to_owned(),
            reason: format!(
                "no answer within connectTimeout = {} ms",
                timeout.as_millis()
            ),
        })
    }

    /// Begins to let go of connections and files, once everything is said.
    pub(crate) fn close(self: &Arc<Self>) -> impl Future<Output = Result<()>> + Send + use<> {
        let farewells = std::mem::take(&mut *self.farewells.lock());
        self.run(|ranges| async move {
            for farewell in farewells {
                // One that broke off has nothing more to say.
                let _ = farewell.await;
            }
            ranges.close().await
        })
    }

    /// Keeps the store open for `task`, which has a limit of its own.
    pub(crate) fn farewell(&self, task: JoinHandle<()>) {
        let mut farewells = self.farewells.lock();
        farewells.retain(|task| !task.is_finished());
        farewells.push(task);
    }

    /// How somebody who waits for the store to be ready sees a failure.
    pub(crate) fn unavailable(&self, error: Error) -> Error {
        let cause = match error {
            // What a store answered, and that it was not reached, are told as they are.
            Error::RangeUnavailable { cause, .. }
                if matches!(*cause, Error::Refused { .. } | Error::Unreachable { .. }) =>
            {
                return Arc::unwrap_or_clone(cause);
            }
            Error::RangeUnavailable { cause, .. } => cause,
            passing @ (Error::Store { .. } | Error::TimedOut { .. } | Error::RangeStale { .. }) => {
                Arc::new(passing)
            }
            other => return other,
        };
        Error::StoreUnavailable {
            store: self.ranges.name().to_owned(),
            cause,
        }
    }

    /// What callers are told when a task of ours breaks off.
    pub(crate) fn broken(&self, reason: &dyn std::fmt::Display) -> Error {
        Error::Store {
            store: self.ranges.name().to_owned(),
            reason: format!("a task broke off: {reason}"),
        }
    }
}

/// The leases of a store.
///
/// # Errors
/// `CONFIG_INVALID` for one that has none.
pub(crate) fn leases(ranges: &dyn RangeStore) -> Result<&dyn LeaseStore> {
    ranges.leases().ok_or_else(|| {
        let expected = "it leases no machine numbers: use memory:, sqlite: or redis://";
        Error::config("store", ranges.name(), expected)
    })
}
