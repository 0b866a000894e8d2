//! The suite itself: a store that breaks an invariant is told by that invariant.

use std::future::{pending, ready};

use mintid_core::{Key, Result};
use parking_lot::Mutex;

use super::*;
use crate::lease_store::{Claim, Claimed, LeaseStore, Machine, Owner, Release, Renew, Renewed};
use crate::memory::MemoryStore;
use crate::range_store::{Counter, Granted, Reserve};

/// How a store is bad.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fault {
    /// L1: tells nobody what came before.
    ForgetsCeilings,
    /// L1: leaves what a holder used that gave back, and nothing of those before.
    ForgetsThoseBefore,
    /// L2: gives away what is held.
    GivesAway,
    /// L3: renews for anybody.
    RenewsForAnybody,
    /// L3: takes back from anybody.
    ReleasesForAnybody,
    /// L4: believes whatever clock a holder has.
    BelievesHolders,
    /// L4: has nothing against a claimer's clock.
    BelievesClaimers,
    /// L5: gives leases to other layouts.
    IgnoresTerms,
    /// L6: has nobody wait.
    NeverWaits,
    Hangs,
    Panics,
}

struct BadStore {
    inner: MemoryStore,
    fault: Fault,
    first: Arc<Mutex<Option<Claim>>>,
}

impl BadStore {
    async fn claim_badly(&self, mut request: Claim) -> Result<Claimed> {
        match self.fault {
            Fault::GivesAway => {
                for machine in 0..2 {
                    self.inner.free(request.scope.clone(), machine).await?;
                }
            }
            Fault::BelievesClaimers => request.now_ms = crate::unix_clock::now_ms(),
            Fault::IgnoresTerms => {
                let mut first = self.first.lock();
                let first = first.get_or_insert_with(|| request.clone());
                if first.scope == request.scope {
                    request.ttl = first.ttl;
                    request.max_clock_skew = first.max_clock_skew;
                    request.layout = first.layout;
                } else {
                    *first = request.clone();
                }
            }
            Fault::NeverWaits => request.first_start = true,
            Fault::Hangs => pending().await,
            Fault::Panics => panic!("out of order"),
            _ => {}
        }
        let mut claimed = self.inner.claim(request).await?;
        if self.fault == Fault::ForgetsCeilings {
            claimed.former_ceiling_ms = 0;
        }
        Ok(claimed)
    }

    async fn renew_badly(&self, mut request: Renew) -> Result<Renewed> {
        if self.fault == Fault::RenewsForAnybody
            && let Some(owner) = self.owner(&request.scope, request.machine)
        {
            request.owner = owner;
        }
        let own_ceiling_ms = request.now_ms.saturating_add(10_000);
        let mut renewed = self.inner.renew(request).await?;
        if let (Fault::BelievesHolders, Renewed::Held { ceiling_ms, .. }) =
            (self.fault, &mut renewed)
        {
            *ceiling_ms = own_ceiling_ms.max(*ceiling_ms);
        }
        Ok(renewed)
    }

    async fn release_badly(&self, mut request: Release) -> Result<bool> {
        match self.fault {
            Fault::ForgetsThoseBefore => request.former_ceiling_ms = 0,
            Fault::ReleasesForAnybody => {
                if let Some(owner) = self.owner(&request.scope, request.machine) {
                    request.owner = owner;
                }
            }
            _ => {}
        }
        self.inner.release(request).await
    }

    fn owner(&self, scope: &LeaseScope, machine: u32) -> Option<Owner> {
        let record = self.inner.lease(scope, machine)?;
        Some(Owner::named(record.splitn(3, '|').nth(2)?))
    }
}

impl LeaseStore for BadStore {
    fn claim(&self, request: Claim) -> Answer<'_, Claimed> {
        Box::pin(self.claim_badly(request))
    }

    fn renew(&self, request: Renew) -> Answer<'_, Renewed> {
        Box::pin(self.renew_badly(request))
    }

    fn release(&self, request: Release) -> Answer<'_, bool> {
        Box::pin(self.release_badly(request))
    }

    fn machines(&self, scope: LeaseScope) -> Answer<'_, Vec<Machine>> {
        self.inner.machines(scope)
    }

    fn free(&self, scope: LeaseScope, machine: u32) -> Answer<'_, bool> {
        self.inner.free(scope, machine)
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
        self.inner.reserve(request)
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

    fn leases(&self) -> Option<&dyn LeaseStore> {
        Some(self)
    }

    fn close(&self) -> Answer<'_, ()> {
        self.inner.close()
    }
}

struct Bad {
    memory: MemoryStore,
    fault: Fault,
    first: Arc<Mutex<Option<Claim>>>,
}

impl LeaseHarness for Bad {
    fn client(&self) -> Answer<'_, Arc<dyn RangeStore>> {
        let store = BadStore {
            inner: self.memory.client(),
            fault: self.fault,
            first: Arc::clone(&self.first),
        };
        Box::pin(ready(Ok(Arc::new(store) as Arc<dyn RangeStore>)))
    }

    fn patience(&self) -> Duration {
        match self.fault {
            Fault::Hangs => Duration::from_millis(20),
            _ => Duration::from_secs(10),
        }
    }

    fn spoil<'a>(
        &'a self,
        scope: &'a LeaseScope,
        machine: u32,
        record: &'a str,
    ) -> Option<Answer<'a, ()>> {
        self.memory.spoil_lease(scope, machine, record);
        Some(Box::pin(ready(Ok(()))))
    }
}

async fn judge(fault: Fault) -> Vec<Broken> {
    let memory = MemoryStore::default();
    memory.forget_leases_at_times();
    let bad = Bad {
        memory,
        fault,
        first: Arc::default(),
    };
    let verdict = verify_leases(&bad).await;
    verdict.expect_err("a bad store is not let pass")
}

async fn check(fault: Fault, invariant: &str) {
    let broken = judge(fault).await;
    assert!(
        broken.iter().any(|it| it.invariant == invariant),
        "{fault:?} breaks {invariant}, and was told as {broken:#?}"
    );
}

#[tokio::test]
async fn a_store_that_forgets_what_came_before_breaks_l1() {
    check(Fault::ForgetsCeilings, "L1").await;
    check(Fault::ForgetsThoseBefore, "L1").await;
}

#[tokio::test]
async fn a_store_that_gives_away_what_is_held_breaks_l2() {
    check(Fault::GivesAway, "L2").await;
}

#[tokio::test]
async fn a_store_that_renews_or_releases_for_anybody_breaks_l3() {
    check(Fault::RenewsForAnybody, "L3").await;
    check(Fault::ReleasesForAnybody, "L3").await;
}

#[tokio::test]
async fn a_store_that_believes_every_clock_breaks_l4() {
    check(Fault::BelievesHolders, "L4").await;
    check(Fault::BelievesClaimers, "L4").await;
}

#[tokio::test]
async fn a_store_that_takes_every_layout_breaks_l5() {
    check(Fault::IgnoresTerms, "L5").await;
}

#[tokio::test]
async fn a_store_that_has_nobody_wait_breaks_l6() {
    check(Fault::NeverWaits, "L6").await;
}

#[tokio::test]
async fn a_store_that_hangs_is_told_once() {
    let broken = judge(Fault::Hangs).await;
    let [only] = broken.as_slice() else {
        panic!("one report is due: {broken:#?}");
    };
    assert_eq!(only.what, "claim did not answer within 20 ms");
}

#[tokio::test]
async fn a_store_that_panics_is_told_and_does_not_end_the_suite() {
    let broken = judge(Fault::Panics).await;
    assert_eq!(broken[0].what, "the store panicked: out of order");
    assert!(
        broken.iter().any(|it| it.invariant == "list"),
        "{broken:#?}"
    );
}

#[tokio::test]
async fn a_store_without_leases_is_told() {
    struct Without(MemoryStore);
    impl RangeStore for Without {
        fn name(&self) -> &str {
            self.0.name()
        }
        fn connect(&self) -> Answer<'_, ()> {
            self.0.connect()
        }
        fn reserve(&self, request: Reserve) -> Answer<'_, Granted> {
            self.0.reserve(request)
        }
        fn seal(&self, key: Key) -> Answer<'_, bool> {
            self.0.seal(key)
        }
        fn list(&self, prefix: String) -> Answer<'_, Vec<Counter>> {
            self.0.list(prefix)
        }
        fn floor(&self, key: Key, value: u64) -> Answer<'_, bool> {
            self.0.floor(key, value)
        }
        fn close(&self) -> Answer<'_, ()> {
            self.0.close()
        }
    }
    struct Harness;
    impl LeaseHarness for Harness {
        fn client(&self) -> Answer<'_, Arc<dyn RangeStore>> {
            let store = Arc::new(Without(MemoryStore::default()));
            Box::pin(ready(Ok(store as Arc<dyn RangeStore>)))
        }
    }
    let broken = verify_leases(&Harness).await.expect_err("nothing to judge");
    assert_eq!(
        broken,
        [Broken {
            invariant: "client",
            what: "the store has no leases".to_owned(),
        }]
    );
}
