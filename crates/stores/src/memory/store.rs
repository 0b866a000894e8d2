use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use mintid_core::{Error, Key, Result};
use parking_lot::Mutex;

use super::leases::Leases;
use crate::grant::{self, Remembered};
use crate::lease_store::{
    Claim, Claimed, LeaseScope, LeaseStore, Machine, Release, Renew, Renewed,
};
use crate::range_store::{Answer, Counter, Diagnosis, Granted, RangeStore, Reserve, StoreId};
use crate::unix_clock;

/// A map that grants ranges and leases.
///
/// ```
/// use mintid_stores::RangeStore;
/// use mintid_stores::memory::MemoryStore;
///
/// assert_eq!(MemoryStore::default().name(), "memory:");
/// assert_eq!(MemoryStore::named("shop").name(), "memory:shop");
/// ```
#[derive(Debug)]
pub struct MemoryStore {
    name: String,
    memory: Arc<Mutex<Memory>>,
    clock: UnixClock,
    closed: OnceLock<()>,
}

/// What tells the time of the store, in Unix ms.
#[derive(Clone)]
struct UnixClock(Arc<dyn Fn() -> u64 + Send + Sync>);

impl Default for UnixClock {
    fn default() -> Self {
        Self(Arc::new(unix_clock::now_ms))
    }
}

impl fmt::Debug for UnixClock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", (self.0)())
    }
}

#[derive(Debug, Default)]
struct Memory {
    store_id: Option<StoreId>,
    /// The record of each generator, by its name.
    generators: BTreeMap<String, &'static str>,
    /// Ordered, because counters are listed in the order of their keys.
    counters: BTreeMap<String, Held>,
    leases: Leases,
}

#[derive(Debug, Default, Clone, Copy)]
struct Held {
    value: Option<u64>,
    sealed: bool,
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::named("")
    }
}

impl MemoryStore {
    /// An empty store that is called `memory:name`; sharing it by its name is up to its owner.
    pub fn named(name: &str) -> Self {
        Self {
            name: format!("memory:{name}"),
            memory: Arc::default(),
            clock: UnixClock::default(),
            closed: OnceLock::new(),
        }
    }

    /// The same store with a clock of its own, in Unix ms: for tests. Clients made from it have
    /// that clock too.
    pub fn with_clock(self, unix_ms: impl Fn() -> u64 + Send + Sync + 'static) -> Self {
        Self {
            clock: UnixClock(Arc::new(unix_ms)),
            ..self
        }
    }

    /// Another client of the same memory: closing one leaves the others open.
    pub fn client(&self) -> Self {
        Self {
            name: self.name.clone(),
            memory: Arc::clone(&self.memory),
            clock: self.clock.clone(),
            closed: OnceLock::new(),
        }
    }

    /// Sets the counter of `key` to `value`, as a restored backup would: a fault for tests.
    pub fn rewind(&self, key: &Key, value: u64) {
        let mut memory = self.memory.lock();
        memory.held(key).value = Some(value);
    }

    /// Seals `key` at once, as an operator elsewhere would: for tests. `true` if it was not sealed.
    pub fn seal_now(&self, key: &Key) -> bool {
        self.memory.lock().seal(key)
    }

    /// Forgets everything, as a flushed server would: a fault for tests.
    pub fn wipe(&self) {
        let mut memory = self.memory.lock();
        let forgets = memory.leases.forgets;
        *memory = Memory::default();
        memory.leases.forgets = forgets;
    }

    /// Has newcomers to an empty table of leases wait, as a server that may have lost it has to:
    /// for tests.
    pub fn forget_leases_at_times(&self) {
        self.memory.lock().leases.forgets = true;
    }

    #[cfg(test)]
    pub(super) fn forgets_leases(&self) -> bool {
        self.memory.lock().leases.forgets
    }

    /// Makes the table of `scope` one that may have lost what it acknowledged last, as another
    /// server under the same address is: a fault for tests.
    pub fn lose_leases(&self, scope: &LeaseScope) {
        self.memory.lock().leases.lose(scope);
    }

    /// Sets the record of a machine id, as a person or a restored backup would: a fault for tests.
    ///
    /// It reads `deadline|ceiling|owner`, both times in Unix ms. Anything else is kept too, and is
    /// no lease.
    pub fn spoil_lease(&self, scope: &LeaseScope, machine: u32, record: &str) {
        self.memory.lock().leases.spoil(scope, machine, record);
    }

    /// The record of a machine id, as [`spoil_lease`](Self::spoil_lease) takes it.
    pub fn lease(&self, scope: &LeaseScope, machine: u32) -> Option<String> {
        self.memory.lock().leases.record(scope, machine)
    }

    fn now_ms(&self) -> u64 {
        (self.clock.0)()
    }

    /// Runs `work` on the memory of a store that is open.
    fn with<T>(&self, work: impl FnOnce(&mut Memory) -> Result<T>) -> Result<T> {
        if self.closed.get().is_some() {
            return Err(Error::Closed {
                name: self.name.clone(),
            });
        }
        work(&mut self.memory.lock())
    }
}

impl RangeStore for MemoryStore {
    fn name(&self) -> &str {
        &self.name
    }

    fn connect(&self) -> Answer<'_, ()> {
        Box::pin(async { self.with(|_| Ok(())) })
    }

    fn reserve(&self, request: Reserve) -> Answer<'_, Granted> {
        Box::pin(async move { self.with(|memory| memory.reserve(&self.name, &request)) })
    }

    fn seal(&self, key: Key) -> Answer<'_, bool> {
        Box::pin(async move { self.with(|memory| Ok(memory.seal(&key))) })
    }

    fn list(&self, prefix: String) -> Answer<'_, Vec<Counter>> {
        Box::pin(async move { self.with(|memory| Ok(memory.list(&prefix))) })
    }

    fn floor(&self, key: Key, value: u64) -> Answer<'_, bool> {
        Box::pin(async move { self.with(|memory| memory.floor(&key, value)) })
    }

    fn leases(&self) -> Option<&dyn LeaseStore> {
        Some(self)
    }

    fn diagnose(&self) -> Answer<'_, Diagnosis> {
        Box::pin(async {
            let mut told = Diagnosis::default();
            told.fact("server", "the memory of this process");
            told.warn(
                "it is forgotten when the process ends, and shared with no other",
                "keep it for tests: use sqlite: on one host, or a server",
            );
            Ok(told)
        })
    }

    fn close(&self) -> Answer<'_, ()> {
        Box::pin(async {
            self.closed.get_or_init(|| ());
            Ok(())
        })
    }
}

impl LeaseStore for MemoryStore {
    fn claim(&self, request: Claim) -> Answer<'_, Claimed> {
        let claim = move |memory: &mut Memory| {
            let now_ms = self.now_ms();
            memory.leases.claim(&self.name, &request, now_ms)
        };
        Box::pin(async move { self.with(claim) })
    }

    fn renew(&self, request: Renew) -> Answer<'_, Renewed> {
        let renew = move |memory: &mut Memory| {
            let now_ms = self.now_ms();
            memory.leases.renew(&self.name, &request, now_ms)
        };
        Box::pin(async move { self.with(renew) })
    }

    fn release(&self, request: Release) -> Answer<'_, bool> {
        Box::pin(async move { self.with(|memory| memory.leases.release(&self.name, &request)) })
    }

    fn machines(&self, scope: LeaseScope) -> Answer<'_, Vec<Machine>> {
        let machines = move |memory: &mut Memory| {
            let now_ms = self.now_ms();
            memory.leases.machines(&self.name, &scope, now_ms)
        };
        Box::pin(async move { self.with(machines) })
    }

    fn free(&self, scope: LeaseScope, machine: u32) -> Answer<'_, bool> {
        Box::pin(async move { self.with(|memory| memory.leases.free(&self.name, &scope, machine)) })
    }
}

impl Memory {
    fn held(&mut self, key: &Key) -> &mut Held {
        self.counters.entry(key.to_string()).or_default()
    }

    fn remembered(&self, key: &Key) -> Remembered {
        let held = self.counters.get(key.as_str()).copied().unwrap_or_default();
        Remembered {
            store_id: self.store_id.clone(),
            record: self
                .generators
                .get(key.as_str())
                .map(|&record| record.to_owned()),
            value: held.value,
            sealed: held.sealed,
        }
    }

    fn reserve(&mut self, store: &str, request: &Reserve) -> Result<Granted> {
        let remembered = self.remembered(&request.key);
        let granted = grant::decide(store, &remembered, request, StoreId::fresh)?;
        self.store_id = Some(granted.store_id.clone());
        self.generators
            .insert(request.key.to_string(), request.record.as_str());
        self.held(&request.key).value = Some(granted.range.last());
        Ok(granted)
    }

    fn seal(&mut self, key: &Key) -> bool {
        !std::mem::replace(&mut self.held(key).sealed, true)
    }

    fn floor(&mut self, key: &Key, value: u64) -> Result<bool> {
        let raises = grant::decide_floor(&self.remembered(key), key, value)?;
        if raises {
            self.held(key).value = Some(value);
        }
        Ok(raises)
    }

    fn list(&self, prefix: &str) -> Vec<Counter> {
        self.counters
            .range(prefix.to_owned()..)
            .take_while(|(key, _)| key.starts_with(prefix))
            .map(|(key, held)| Counter {
                key: key.clone(),
                value: held.value,
                sealed: held.sealed,
            })
            .collect()
    }
}
