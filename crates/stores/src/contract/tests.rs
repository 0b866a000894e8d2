//! The suite itself: a store that breaks one invariant is told by that invariant alone.

mod lacking;

use std::future::{pending, ready};

use mintid_core::{Error, Name, Namespace, Range, Result};
use parking_lot::Mutex;

use super::*;
use crate::memory::MemoryStore;
use crate::range_store::{Counter, Granted, Reserve};

/// How a store is bad.
#[derive(Debug, Clone, Copy)]
enum Fault {
    /// S1: reads the counter, thinks for a while, and writes.
    Races,
    /// S2: begins one too high.
    SkipsTheFirstId,
    /// S3: grants whole tens, whatever was asked for.
    RoundsUp,
    /// S4: takes the range back when its caller goes away.
    PutsBack,
    /// None of them: its answers get lost when the harness says so.
    LosesReplies,
    /// S4: its answers get lost, and the ranges in them are granted again.
    ReusesLostRanges,
    /// S4: gives back at its end what it granted last.
    GivesBackAtClose,
    /// S5: begins again where it would end.
    Wraps,
    /// S6: goes on with a new counter in place of a sealed one.
    Rebuilds,
    /// S7: does not look at floors.
    Forgets,
    /// S3: tells the last id in place of the end.
    TellsTheLastId,
    /// Never answers a reservation.
    Hangs,
    /// Panics in a reservation.
    Panics,
}

struct BadStore {
    inner: MemoryStore,
    fault: Fault,
    lose_next: Arc<Mutex<bool>>,
    /// The last key that was granted, and what stood there before.
    granted: Mutex<Option<(Key, u64)>>,
}

impl BadStore {
    async fn value(&self, key: &Key) -> Option<u64> {
        let counters = self.inner.list(key.to_string()).await.ok()?;
        counters
            .into_iter()
            .find(|it| it.key == key.as_str())?
            .value
    }

    async fn reserve_badly(&self, mut request: Reserve) -> Result<Granted> {
        let key = request.key.clone();
        match self.fault {
            Fault::Races => {
                let value = self.value(&key).await;
                if let Some(value) = value {
                    tokio::task::yield_now().await;
                    self.inner.rewind(&key, value);
                }
            }
            Fault::SkipsTheFirstId => request.initial_offset += 1,
            Fault::RoundsUp => request.size = request.size.saturating_add(9) / 10 * 10,
            Fault::PutsBack => {
                let put_back = PutBack {
                    store: self,
                    value: self.value(&key).await.unwrap_or(0),
                    key,
                };
                let granted = self.inner.reserve(request).await;
                tokio::task::yield_now().await;
                std::mem::forget(put_back);
                return granted;
            }
            Fault::LosesReplies | Fault::ReusesLostRanges => {
                let lost = std::mem::take(&mut *self.lose_next.lock());
                let before = self.value(&key).await.unwrap_or(0);
                let granted = self.inner.reserve(request).await;
                if lost && matches!(self.fault, Fault::ReusesLostRanges) {
                    self.inner.rewind(&key, before.saturating_sub(1));
                }
                return if lost {
                    Err(connection_lost())
                } else {
                    granted
                };
            }
            Fault::Wraps => match self.inner.reserve(request.clone()).await {
                Err(Error::RangeExhausted { .. }) => {
                    self.inner.rewind(&key, 0);
                    request.size = 1;
                }
                answer => return answer,
            },
            Fault::Rebuilds => match self.inner.reserve(request.clone()).await {
                Err(Error::RangeSealed { .. }) => request.key = other_key(),
                answer => return answer,
            },
            Fault::Forgets => {
                request.may_create |= request.floor.is_some();
                request.floor = None;
            }
            Fault::GivesBackAtClose => {
                let granted = self.inner.reserve(request).await?;
                *self.granted.lock() = Some((key, granted.range.start - 1));
                return Ok(granted);
            }
            Fault::TellsTheLastId => {
                let mut granted = self.inner.reserve(request).await?;
                granted.range.end -= 1;
                return Ok(granted);
            }
            Fault::Hangs => pending().await,
            Fault::Panics => panic!("out of order"),
        }
        self.inner.reserve(request).await
    }
}

fn connection_lost() -> Error {
    Error::Store {
        store: "bad:".to_owned(),
        reason: "connection lost".to_owned(),
    }
}

fn other_key() -> Key {
    Namespace::default().segment_key(&Name::new("other").expect("a plain name"))
}

/// Dropped only if the call is.
struct PutBack<'a> {
    store: &'a BadStore,
    key: Key,
    value: u64,
}

impl Drop for PutBack<'_> {
    fn drop(&mut self) {
        self.store.inner.rewind(&self.key, self.value);
    }
}

impl RangeStore for BadStore {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn connect(&self) -> Answer<'_, ()> {
        self.inner.connect()
    }

    fn reserve(&self, request: Reserve) -> Answer<'_, Granted> {
        Box::pin(self.reserve_badly(request))
    }

    fn seal(&self, key: Key) -> Answer<'_, bool> {
        self.inner.seal(key)
    }

    fn list(&self, prefix: String) -> Answer<'_, Vec<Counter>> {
        self.inner.list(prefix)
    }

    fn floor(&self, key: Key, value: u64) -> Answer<'_, bool> {
        self.inner.floor(key, value)
    }

    fn close(&self) -> Answer<'_, ()> {
        if let Some((key, before)) = self.granted.lock().take() {
            self.inner.rewind(&key, before);
        }
        self.inner.close()
    }
}

struct Bad {
    memory: MemoryStore,
    fault: Fault,
    lose_next: Arc<Mutex<bool>>,
}

impl Bad {
    fn new(fault: Fault) -> Self {
        Self {
            memory: MemoryStore::default(),
            fault,
            lose_next: Arc::default(),
        }
    }
}

impl Harness for Bad {
    fn client(&self) -> Answer<'_, Arc<dyn RangeStore>> {
        let store = BadStore {
            inner: self.memory.client(),
            fault: self.fault,
            lose_next: Arc::clone(&self.lose_next),
            granted: Mutex::default(),
        };
        Box::pin(ready(Ok(Arc::new(store) as Arc<dyn RangeStore>)))
    }

    fn patience(&self) -> Duration {
        match self.fault {
            Fault::Hangs => Duration::from_millis(20),
            _ => Duration::from_secs(10),
        }
    }

    fn lose_next_reply(&self) -> Option<Answer<'_, ()>> {
        *self.lose_next.lock() = true;
        Some(Box::pin(ready(Ok(()))))
    }
}

async fn judge(fault: Fault) -> Vec<Broken> {
    verify(&Bad::new(fault))
        .await
        .expect_err("a bad store is not let pass")
}

async fn check(fault: Fault, invariant: &str) {
    let broken = judge(fault).await;
    assert!(
        broken.iter().all(|it| it.invariant == invariant),
        "{fault:?} breaks {invariant}, and was told as {broken:#?}"
    );
}

#[tokio::test]
async fn a_store_that_overlaps_breaks_s1() {
    check(Fault::Races, "S1").await;
}

#[tokio::test]
async fn a_store_that_begins_elsewhere_breaks_s2() {
    check(Fault::SkipsTheFirstId, "S2").await;
}

#[tokio::test]
async fn a_store_that_grants_more_than_asked_breaks_s3() {
    check(Fault::RoundsUp, "S3").await;
}

/// In whatever check it is seen.
#[tokio::test]
async fn a_store_that_tells_the_last_id_as_the_end_breaks_s3() {
    let broken = judge(Fault::TellsTheLastId).await;
    let s3 = Broken {
        invariant: "S3",
        what: broken[0].what.clone(),
    };
    assert!(
        s3.what
            .contains("was answered with [1, 1), which holds no id"),
        "{broken:#?}"
    );
    assert_eq!(broken[0], s3);
}

#[tokio::test]
async fn a_store_that_takes_a_range_back_breaks_s4() {
    check(Fault::PutsBack, "S4").await;
}

#[tokio::test]
async fn a_store_that_gives_back_at_its_end_breaks_s4() {
    check(Fault::GivesBackAtClose, "S4").await;
}

#[tokio::test]
async fn a_store_whose_replies_get_lost_keeps_the_contract() {
    assert_eq!(verify(&Bad::new(Fault::LosesReplies)).await, Ok(()));
}

#[tokio::test]
async fn a_store_that_grants_a_lost_range_again_breaks_s4() {
    check(Fault::ReusesLostRanges, "S4").await;
}

#[tokio::test]
async fn a_store_that_wraps_breaks_s5() {
    check(Fault::Wraps, "S5").await;
}

#[tokio::test]
async fn a_store_that_rebuilds_a_sealed_key_breaks_s6() {
    check(Fault::Rebuilds, "S6").await;
}

#[tokio::test]
async fn a_store_that_ignores_floors_breaks_s7() {
    check(Fault::Forgets, "S7").await;
}

#[tokio::test]
async fn a_store_that_hangs_is_told_once() {
    let broken = judge(Fault::Hangs).await;
    let [only] = broken.as_slice() else {
        panic!("one report is due: {broken:#?}");
    };
    assert_eq!(only.what, "reserve did not answer within 20 ms");
}

#[tokio::test]
async fn a_store_that_panics_is_told_and_does_not_end_the_suite() {
    let broken = judge(Fault::Panics).await;
    assert_eq!(broken[0].invariant, "S1");
    assert_eq!(broken[0].what, "the store panicked: out of order");
    assert!(
        broken.iter().any(|it| it.invariant == "keys"),
        "{broken:#?}"
    );
}

#[tokio::test]
async fn a_store_that_cannot_be_reached_is_told() {
    struct Away;
    impl Harness for Away {
        fn client(&self) -> Answer<'_, Arc<dyn RangeStore>> {
            Box::pin(ready(Err(Error::Store {
                store: "away:".to_owned(),
                reason: "connection refused".to_owned(),
            })))
        }
    }
    let broken = verify(&Away).await.expect_err("nothing to judge");
    assert_eq!(
        broken,
        [Broken {
            invariant: "client",
            what: "no client could be made: store away:: connection refused".to_owned(),
        }]
    );
}

/// A store that answers as if its commits had succeeded.
#[tokio::test]
async fn a_store_that_believes_before_it_commits_breaks_s4() {
    struct Believes(MemoryStore);
    impl Harness for Believes {
        fn client(&self) -> Answer<'_, Arc<dyn RangeStore>> {
            Box::pin(ready(Ok(Arc::new(self.0.client()) as Arc<dyn RangeStore>)))
        }
        fn fail_commits(&self, _: bool) -> Option<Answer<'_, ()>> {
            Some(Box::pin(ready(Ok(()))))
        }
    }
    let broken = verify(&Believes(MemoryStore::default()))
        .await
        .expect_err("it believes");
    let range = Range { start: 11, end: 21 };
    assert_eq!(
        broken,
        [Broken {
            invariant: "S4",
            what: format!("{range} was granted while commits failed"),
        }]
    );
}
