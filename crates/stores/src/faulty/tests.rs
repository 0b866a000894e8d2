use std::future::{pending, ready};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use mintid_core::snowflake::{Layout, LayoutOptions};
use mintid_core::{Code, Error, Key, Name, Namespace, Range, Result};
use parking_lot::Mutex;
use tokio::sync::oneshot;

use super::{Fault, FaultyStore};
use crate::contract::{Harness, verify};
use crate::lease_store::{Claim, Claimed, LeaseScope, LeaseStore, Owner};
use crate::memory::MemoryStore;
use crate::range_store::{Answer, Granted, RangeStore, Record, Reserve};

const NOW_MS: u64 = 1_800_000_000_000;

fn key() -> Key {
    Namespace::default().segment_key(&Name::new("orders").expect("a name"))
}

/// A store that nobody lets be slow.
fn store() -> FaultyStore {
    FaultyStore::new(MemoryStore::default(), |_| Box::pin(pending()))
}

fn reserve(store: &FaultyStore) -> Answer<'_, Granted> {
    store.reserve(Reserve {
        key: key(),
        size: 10,
        initial_offset: 1,
        max: 1_000,
        floor: None,
        raise_to: None,
        jump: 1 << 24,
        may_create: true,
        store_id: None,
        record: Record::Segment,
        patience: Duration::from_secs(3),
    })
}

fn look<T>(answer: &mut Answer<'_, T>) -> Poll<Result<T>> {
    answer
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()))
}

/// What has been answered by now.
#[track_caller]
fn answered<T>(mut answer: Answer<'_, T>) -> Result<T> {
    match look(&mut answer) {
        Poll::Ready(answer) => answer,
        Poll::Pending => panic!("it is not answered"),
    }
}

#[track_caller]
fn grants(answer: Answer<'_, Granted>, start: u64) {
    let range = answered(answer).expect("a range").range;
    let end = start + 10;
    assert_eq!(range, Range { start, end });
}

#[track_caller]
fn refuses<T>(answer: Answer<'_, T>, part: &str) {
    let Err(error) = answered(answer) else {
        panic!("it is granted");
    };
    assert_eq!(error.code(), Code::StoreError);
    assert!(error.to_string().contains(part), "{error}");
}

#[test]
fn a_fault_happens_to_one_reservation_in_its_order() {
    let store = store();
    let broken = Error::Store {
        store: "memory:".to_owned(),
        reason: "the disk is full".to_owned(),
    };
    store.once(Fault::Fails);
    store.once(Fault::Refuses(broken));
    store.once(Fault::LosesReply);
    refuses(reserve(&store), "it is away");
    refuses(reserve(&store), "the disk is full");
    refuses(reserve(&store), "the reply was lost");
    // What was lost had been granted, and what was refused had not.
    grants(reserve(&store), 11);
    assert_eq!(store.sizes(), [10; 4]);
}

#[test]
fn a_standing_fault_also_keeps_from_connecting_and_ends_with_recovery() {
    let store = store();
    store.always(Fault::Fails);
    for _ in 0..3 {
        refuses(reserve(&store), "it is away");
        refuses(store.connect(), "it is away");
    }
    store.recover();
    answered(store.connect()).expect("it is back");
    grants(reserve(&store), 1);
}

#[test]
fn what_hangs_is_granted_when_it_is_released_and_what_is_held_was_before() {
    let store = store();
    store.once(Fault::Hangs);
    store.once(Fault::HoldsReply);
    let (mut hangs, mut held) = (reserve(&store), reserve(&store));
    assert!(look(&mut hangs).is_pending() && look(&mut held).is_pending());
    assert_eq!(store.in_flight(), 2);
    store.release();
    grants(hangs, 11);
    grants(held, 1);
    assert_eq!((store.in_flight(), store.most_in_flight()), (0, 2));
}

#[test]
fn a_call_that_is_given_up_while_it_hangs_keeps_nobody_from_being_released() {
    let store = store();
    store.always(Fault::Hangs);
    let (mut given_up, mut waits) = (reserve(&store), reserve(&store));
    assert!(look(&mut given_up).is_pending() && look(&mut waits).is_pending());
    drop(given_up);
    assert_eq!(store.in_flight(), 1);
    store.recover();
    grants(waits, 1);
}

#[test]
fn a_slow_store_waits_as_it_was_told_how() {
    let pauses = Arc::new(Mutex::new(Vec::new()));
    let store = FaultyStore::new(MemoryStore::default(), {
        let pauses = Arc::clone(&pauses);
        move |time| {
            let (end, ended) = oneshot::channel::<()>();
            pauses.lock().push((time, end));
            Box::pin(async { ended.await.expect("it is ended") })
        }
    });
    store.delay(Duration::from_millis(50));
    let mut slow = reserve(&store);
    assert!(look(&mut slow).is_pending());
    let (time, end) = pauses.lock().pop().expect("it pauses");
    assert_eq!(time, Duration::from_millis(50));
    end.send(()).expect("it still waits");
    grants(slow, 1);
    store.recover();
    grants(reserve(&store), 11);
}

#[test]
fn an_answer_can_be_any_range() {
    let store = store();
    let range = Range { start: 5, end: 500 };
    store.once(Fault::Answers(range));
    assert_eq!(answered(reserve(&store)).expect("a range").range, range);
    grants(reserve(&store), 11);
}

fn claim(store: &FaultyStore) -> Answer<'_, Claimed> {
    store.claim(Claim {
        scope: LeaseScope::new(&Namespace::default()),
        owner: Owner::fresh("test", 1),
        layout: Layout::new(&LayoutOptions::default(), NOW_MS).expect("the default layout"),
        ttl: Duration::from_secs(60),
        max_clock_skew: Duration::from_secs(5),
        failover_window: Duration::from_secs(30),
        first_start: true,
        may_create: true,
        machines: (0, 1_023),
        start: 0,
        now_ms: NOW_MS,
        patience: Duration::from_secs(3),
    })
}

fn leasing_store() -> FaultyStore {
    let memory = MemoryStore::default().with_clock(|| NOW_MS);
    FaultyStore::new(memory, |_| Box::pin(pending()))
}

#[track_caller]
fn gives(answer: Answer<'_, Claimed>, machine: u32) {
    assert_eq!(answered(answer).expect("a machine id").machine, machine);
}

#[test]
fn claims_fail_to_order_and_are_counted() {
    let store = leasing_store();
    store.once_to_leases(Fault::Fails);
    store.once_to_leases(Fault::LosesReply);
    answered(claim(&store)).expect_err("it is away");
    answered(claim(&store)).expect_err("the reply was lost");
    gives(claim(&store), 1);
    store.always(Fault::Fails);
    answered(claim(&store)).expect_err("it is away");
    store.heal();
    gives(claim(&store), 2);
    assert_eq!(store.lease_calls().claims, 5);
    // None of it was a reservation.
    assert_eq!(store.calls(), 0);
}

#[test]
fn a_claim_that_is_held_goes_on_when_it_is_released() {
    let store = leasing_store();
    store.once_to_leases(Fault::Hangs);
    let mut held = claim(&store);
    assert!(look(&mut held).is_pending());
    gives(claim(&store), 0);
    store.release();
    gives(held, 1);
}

/// Clients of one memory, of which the first has the faults that the contract asks for.
#[derive(Default)]
struct Faulty {
    memory: MemoryStore,
    first: OnceLock<Arc<FaultyStore>>,
}

impl Faulty {
    fn cause(&self, fault: impl FnOnce(&FaultyStore)) -> Option<Answer<'_, ()>> {
        fault(self.first.get().expect("the contract has made a client"));
        Some(Box::pin(ready(Ok(()))))
    }
}

impl Harness for Faulty {
    fn client(&self) -> Answer<'_, Arc<dyn RangeStore>> {
        let client = FaultyStore::new(self.memory.client(), |_| Box::pin(pending()));
        let client = Arc::new(client);
        self.first.get_or_init(|| Arc::clone(&client));
        Box::pin(ready(Ok(client as Arc<dyn RangeStore>)))
    }

    fn fail_commits(&self, fail: bool) -> Option<Answer<'_, ()>> {
        self.cause(|store| {
            if fail {
                store.always(Fault::Fails);
            } else {
                store.heal();
            }
        })
    }

    fn lose_next_reply(&self) -> Option<Answer<'_, ()>> {
        self.cause(|store| store.once(Fault::LosesReply))
    }
}

#[tokio::test]
async fn whatever_its_faults_it_keeps_the_contract() {
    assert_eq!(verify(&Faulty::default()).await, Ok(()));
}
