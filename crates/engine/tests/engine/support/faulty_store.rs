use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use mintid::stores::memory::MemoryStore;
use mintid::stores::{Answer, Counter, Granted, RangeStore, Reserve};
use mintid::{Clock, Error, Key, ManualTimer, Name, Namespace, Range, Result, Timer};
use parking_lot::Mutex;
use tokio::sync::oneshot;

/// What becomes of a reservation.
#[derive(Debug, Clone, Copy)]
pub enum Fault {
    /// It is refused, and nothing is granted.
    Fails,
    /// It is granted, and answered with an error.
    LosesReply,
    /// It is looked at only once it is released.
    Hangs,
    /// It is granted, and answered only once it is released.
    HoldsReply,
    /// It is granted, and answered with another range.
    Answers(Range),
    /// The store's code breaks.
    Panics,
}

/// A store in memory that fails to order and counts what it is asked.
pub struct FaultyStore {
    memory: MemoryStore,
    timer: Arc<ManualTimer>,
    switches: Mutex<Switches>,
    calls: AtomicUsize,
    in_flight: AtomicUsize,
    most_in_flight: AtomicUsize,
    is_closed: AtomicBool,
}

#[derive(Default)]
struct Switches {
    delay: Duration,
    /// What becomes of the next reservations, one by one, and of those after them.
    next: VecDeque<Fault>,
    always: Option<Fault>,
    held: VecDeque<oneshot::Sender<()>>,
    sizes: Vec<u64>,
}

impl FaultyStore {
    pub fn new(memory: MemoryStore, timer: Arc<ManualTimer>) -> Self {
        Self {
            memory,
            timer,
            switches: Mutex::default(),
            calls: AtomicUsize::new(0),
            in_flight: AtomicUsize::new(0),
            most_in_flight: AtomicUsize::new(0),
            is_closed: AtomicBool::new(false),
        }
    }

    /// The memory behind it, which other clients may share.
    pub fn memory(&self) -> &MemoryStore {
        &self.memory
    }

    /// Lets every reservation take `ms`.
    pub fn delay(&self, ms: u64) {
        self.switches.lock().delay = Duration::from_millis(ms);
    }

    /// Lets `fault` happen to the next reservation that has none in store yet.
    pub fn once(&self, fault: Fault) {
        self.switches.lock().next.push_back(fault);
    }

    /// Lets `fault` happen to every reservation, and to connections.
    pub fn always(&self, fault: Fault) {
        self.switches.lock().always = Some(fault);
    }

    /// Lets no fault happen any more. What is held stays held.
    pub fn heal(&self) {
        let mut switches = self.switches.lock();
        switches.next.clear();
        switches.always = None;
    }

    /// Lets everything go on that hangs or is held, in the order in which it came.
    pub fn release(&self) {
        for gate in std::mem::take(&mut self.switches.lock().held) {
            // It may have been dropped in the meantime.
            let _ = gate.send(());
        }
    }

    /// How many reservations were asked for.
    pub fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }

    /// How many of them are still on their way.
    pub fn in_flight(&self) -> usize {
        self.in_flight.load(Ordering::SeqCst)
    }

    /// How many were ever on their way at once.
    pub fn most_in_flight(&self) -> usize {
        self.most_in_flight.load(Ordering::SeqCst)
    }

    /// How many ids each reservation asked for.
    pub fn sizes(&self) -> Vec<u64> {
        self.switches.lock().sizes.clone()
    }

    pub fn is_closed(&self) -> bool {
        self.is_closed.load(Ordering::SeqCst)
    }

    /// What the store remembers of `name`.
    pub async fn value(&self, name: &str) -> Option<u64> {
        let counters = self.memory.list(name.to_owned()).await.expect("a list");
        counters.into_iter().find(|it| it.key == name)?.value
    }

    /// Sets what the store remembers of `name`.
    pub fn rewind(&self, name: &str, value: u64) {
        self.memory.rewind(&key(name), value);
    }

    pub async fn seal(&self, name: &str) {
        assert!(self.memory.seal(key(name)).await.expect("a seal"));
    }

    fn take_fault(&self, request: &Reserve) -> (Option<Fault>, Duration) {
        let mut switches = self.switches.lock();
        switches.sizes.push(request.size);
        let fault = switches.next.pop_front().or(switches.always);
        (fault, switches.delay)
    }

    async fn hold(&self) {
        let (gate, released) = oneshot::channel();
        self.switches.lock().held.push_back(gate);
        released.await.expect("the store outlives its calls");
    }

    fn away(&self) -> Error {
        Error::Store {
            store: self.name().to_owned(),
            reason: "it is away".to_owned(),
        }
    }

    async fn judge(&self, request: Reserve) -> Result<Granted> {
        let (fault, delay) = self.take_fault(&request);
        if !delay.is_zero() {
            self.timer.sleep_until(self.timer.now() + delay).await;
        }
        let grant = || self.memory.reserve(request);
        match fault {
            None => grant().await,
            Some(Fault::Fails) => Err(self.away()),
            Some(Fault::LosesReply) => grant().await.and(Err(self.away())),
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
}

impl RangeStore for FaultyStore {
    fn name(&self) -> &str {
        self.memory.name()
    }

    fn connect(&self) -> Answer<'_, ()> {
        Box::pin(async {
            let fault = self.switches.lock().always;
            match fault {
                None => self.memory.connect().await,
                Some(Fault::Hangs) => {
                    self.hold().await;
                    self.memory.connect().await
                }
                Some(Fault::Panics) => panic!("a bug in a store"),
                Some(_) => Err(self.away()),
            }
        })
    }

    fn reserve(&self, request: Reserve) -> Answer<'_, Granted> {
        Box::pin(async move {
            self.calls.fetch_add(1, Ordering::SeqCst);
            let _flight = Flight::of(self);
            self.judge(request).await
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

    fn close(&self) -> Answer<'_, ()> {
        self.is_closed.store(true, Ordering::SeqCst);
        self.memory.close()
    }
}

/// A reservation on its way, until it is answered or dropped.
struct Flight<'a>(&'a FaultyStore);

impl<'a> Flight<'a> {
    fn of(store: &'a FaultyStore) -> Self {
        let now = store.in_flight.fetch_add(1, Ordering::SeqCst) + 1;
        store.most_in_flight.fetch_max(now, Ordering::SeqCst);
        Self(store)
    }
}

impl Drop for Flight<'_> {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Ordering::SeqCst);
    }
}

fn key(name: &str) -> Key {
    Namespace::default().segment_key(&Name::new(name).expect("a name"))
}
