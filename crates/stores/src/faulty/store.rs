use std::collections::VecDeque;
use std::pin::Pin;
use std::time::Duration;

use mintid_core::{Error, Key, Result};
use parking_lot::Mutex;
use tokio::sync::{oneshot, watch};

use super::Fault;
use crate::lease_store::{
    Claim, Claimed, LeaseScope, LeaseStore, Machine, Release, Renew, Renewed,
};
use crate::memory::MemoryStore;
use crate::range_store::{Answer, Counter, Granted, RangeStore, Reserve};

/// A pause that is still going on.
pub type Pause = Pin<Box<dyn Future<Output = ()> + Send>>;

/// A store in memory that fails to order, and counts what it is asked.
///
/// ```
/// use mintid_stores::RangeStore;
/// use mintid_stores::faulty::{Fault, FaultyStore};
/// use mintid_stores::memory::MemoryStore;
///
/// # tokio::runtime::Builder::new_current_thread().build().expect("a runtime").block_on(async {
/// // It is never told to be slow, so it need not know how to wait.
/// let store = FaultyStore::new(MemoryStore::default(), |_| Box::pin(std::future::pending()));
/// store.always(Fault::Fails);
/// assert!(store.connect().await.is_err());
/// store.recover();
/// assert!(store.connect().await.is_ok());
/// # });
/// ```
pub struct FaultyStore {
    memory: MemoryStore,
    pause: Box<dyn Fn(Duration) -> Pause + Send + Sync>,
    state: Mutex<State>,
    connections: watch::Sender<u64>,
}

#[derive(Debug, Default)]
struct State {
    delay: Duration,
    /// What becomes of the next reservations, one by one, and of those after them.
    next: VecDeque<Fault>,
    always: Option<Fault>,
    /// What becomes of the next calls about leases.
    next_of_leases: VecDeque<Fault>,
    asked_of_leases: LeaseCalls,
    held: VecDeque<oneshot::Sender<()>>,
    sizes: Vec<u64>,
    in_flight: usize,
    most_in_flight: usize,
    is_closed: bool,
}

/// How often a store was asked what about leases.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LeaseCalls {
    /// How many claims there were.
    pub claims: usize,
    /// How many renewals.
    pub renewals: usize,
    /// How many releases.
    pub releases: usize,
}

impl FaultyStore {
    /// A store on `memory` without a fault; `pause` is how it waits where it is told to be slow.
    pub fn new(
        memory: MemoryStore,
        pause: impl Fn(Duration) -> Pause + Send + Sync + 'static,
    ) -> Self {
        Self {
            memory,
            pause: Box::new(pause),
            state: Mutex::default(),
            connections: watch::Sender::new(0),
        }
    }

    /// The memory behind it, which other clients may share.
    pub fn memory(&self) -> &MemoryStore {
        &self.memory
    }

    /// Lets every reservation, claim, renewal and release take `delay`.
    pub fn delay(&self, delay: Duration) {
        self.state.lock().delay = delay;
    }

    /// Lets `fault` happen to the next reservation that has none in store yet.
    pub fn once(&self, fault: Fault) {
        self.state.lock().next.push_back(fault);
    }

    /// Lets `fault` happen to the next claim, renewal or release that has none in store yet.
    pub fn once_to_leases(&self, fault: Fault) {
        self.state.lock().next_of_leases.push_back(fault);
    }

    /// Lets `fault` happen to every reservation, claim, renewal and release, and to connections.
    pub fn always(&self, fault: Fault) {
        self.state.lock().always = Some(fault);
    }

    /// Lets no fault happen any more. What is held stays held, and what is slow stays slow.
    pub fn heal(&self) {
        let mut state = self.state.lock();
        state.next.clear();
        state.next_of_leases.clear();
        state.always = None;
    }

    /// Heals, and says that it was reached anew, as a store does that was away and is back.
    pub fn reconnect(&self) {
        self.heal();
        self.connections.send_modify(|count| *count += 1);
    }

    /// Lets everything go on that hangs or is held, in the order in which it came.
    pub fn release(&self) {
        for gate in std::mem::take(&mut self.state.lock().held) {
            // It may have been dropped in the meantime.
            let _ = gate.send(());
        }
    }

    /// Switches everything off: from now on it is a store like any other.
    pub fn recover(&self) {
        self.heal();
        self.delay(Duration::ZERO);
        self.release();
    }

    /// How many reservations were asked for.
    pub fn calls(&self) -> usize {
        self.state.lock().sizes.len()
    }

    /// How many of them are still on their way.
    pub fn in_flight(&self) -> usize {
        self.state.lock().in_flight
    }

    /// How many were ever on their way at once.
    pub fn most_in_flight(&self) -> usize {
        self.state.lock().most_in_flight
    }

    /// How many ids each reservation asked for.
    pub fn sizes(&self) -> Vec<u64> {
        self.state.lock().sizes.clone()
    }

    /// What it was asked about leases.
    pub fn lease_calls(&self) -> LeaseCalls {
        self.state.lock().asked_of_leases
    }

    /// Whether it was closed.
    pub fn is_closed(&self) -> bool {
        self.state.lock().is_closed
    }

    async fn hold(&self) {
        let (gate, released) = oneshot::channel();
        self.state.lock().held.push_back(gate);
        released.await.expect("the store outlives its calls");
    }

    fn failed(&self, reason: &str) -> Error {
        Error::Store {
            store: self.name().to_owned(),
            reason: reason.to_owned(),
        }
    }

    async fn answer(&self, request: Reserve) -> Result<Granted> {
        let (fault, delay) = {
            let mut state = self.state.lock();
            let fault = state.next.pop_front().or_else(|| state.always.clone());
            (fault, state.delay)
        };
        if !delay.is_zero() {
            (self.pause)(delay).await;
        }
        let grant = || self.memory.reserve(request);
        match fault {
            None => grant().await,
            Some(Fault::Fails) => Err(self.failed(AWAY)),
            Some(Fault::Refuses(error)) => Err(error),
            Some(Fault::LosesReply) => grant().await.and(Err(self.failed("the reply was lost"))),
            Some(Fault::Hangs) => {
                self.hold().await;
                grant().await
            }
            Some(Fault::HoldsReply) => {
                let granted = grant().await;
                self.hold().await;
                granted
            }
            Some(Fault::Answers(range)) => {
                grant().await.map(|granted| Granted { range, ..granted })
            }
            Some(Fault::Panics) => panic!("a bug in a store"),
        }
    }

    /// Answers a call about leases, with the fault that is due.
    async fn lease<T>(
        &self,
        count: fn(&mut LeaseCalls) -> &mut usize,
        answer: Answer<'_, T>,
    ) -> Result<T> {
        let (fault, delay) = {
            let mut state = self.state.lock();
            *count(&mut state.asked_of_leases) += 1;
            let fault = state.next_of_leases.pop_front();
            (fault.or_else(|| state.always.clone()), state.delay)
        };
        if !delay.is_zero() {
            (self.pause)(delay).await;
        }
        match fault {
            // A range is no answer to any of these calls.
            None | Some(Fault::Answers(_)) => answer.await,
            Some(Fault::Fails) => Err(self.failed(AWAY)),
            Some(Fault::Refuses(error)) => Err(error),
            Some(Fault::LosesReply) => answer.await.and(Err(self.failed("the reply was lost"))),
            Some(Fault::Hangs) => {
                self.hold().await;
                answer.await
            }
            Some(Fault::HoldsReply) => {
                let answered = answer.await;
                self.hold().await;
                answered
            }
            Some(Fault::Panics) => panic!("a bug in a store"),
        }
    }
}

const AWAY: &str = "it is away";

impl RangeStore for FaultyStore {
    fn name(&self) -> &str {
        self.memory.name()
    }

    fn connect(&self) -> Answer<'_, ()> {
        Box::pin(async {
            let fault = self.state.lock().always.clone();
            match fault {
                None => self.memory.connect().await,
                Some(Fault::Hangs | Fault::HoldsReply) => {
                    self.hold().await;
                    self.memory.connect().await
                }
                Some(Fault::Refuses(error)) => Err(error),
                Some(Fault::Panics) => panic!("a bug in a store"),
                Some(_) => Err(self.failed(AWAY)),
            }
        })
    }

    fn reserve(&self, request: Reserve) -> Answer<'_, Granted> {
        Box::pin(async move {
            let _flight = Flight::of(self, request.size);
            self.answer(request).await
        })
    }

    fn seal(&self, key: Key) -> Answer<'_, bool> {
        self.memory.seal(key)
    }

    fn list(&self, prefix: String) -> Answer<'_, Vec<Counter>> {
        self.memory.list(prefix)
    }

    fn floor(&self, key: Key, value: u64) -> Answer<'_, bool> {
        self.memory.floor(key, value)
    }

    fn leases(&self) -> Option<&dyn LeaseStore> {
        Some(self)
    }

    fn connections(&self) -> u64 {
        *self.connections.borrow()
    }

    fn reconnected(&self, seen: u64) -> Answer<'_, ()> {
        let mut connections = self.connections.subscribe();
        Box::pin(async move {
            // It fails when the store is dropped, and then nobody waits.
            let _ = connections.wait_for(|count| *count > seen).await;
            Ok(())
        })
    }

    fn close(&self) -> Answer<'_, ()> {
        self.state.lock().is_closed = true;
        self.memory.close()
    }
}

impl LeaseStore for FaultyStore {
    fn claim(&self, request: Claim) -> Answer<'_, Claimed> {
        Box::pin(self.lease(|calls| &mut calls.claims, self.memory.claim(request)))
    }

    fn renew(&self, request: Renew) -> Answer<'_, Renewed> {
        Box::pin(self.lease(|calls| &mut calls.renewals, self.memory.renew(request)))
    }

    fn release(&self, request: Release) -> Answer<'_, bool> {
        Box::pin(self.lease(|calls| &mut calls.releases, self.memory.release(request)))
    }

    fn machines(&self, scope: LeaseScope) -> Answer<'_, Vec<Machine>> {
        self.memory.machines(scope)
    }

    fn free(&self, scope: LeaseScope, machine: u32) -> Answer<'_, bool> {
        self.memory.free(scope, machine)
    }
}

/// A reservation on its way, until it is answered or dropped.
struct Flight<'a>(&'a FaultyStore);

impl<'a> Flight<'a> {
    fn of(store: &'a FaultyStore, size: u64) -> Self {
        let mut state = store.state.lock();
        state.sizes.push(size);
        state.in_flight += 1;
        state.most_in_flight = state.most_in_flight.max(state.in_flight);
        Self(store)
    }
}

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        self.0.state.lock().in_flight -= 1;
    }
}
