use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use mintid_core::snowflake::{Layout, LayoutOptions};
use mintid_core::{Key, Namespace};

use super::MemoryStore;
use crate::contract::{Harness, verify};
use crate::lease_contract::{LeaseHarness, verify_leases};
use crate::lease_store::{Claim, LeaseScope, LeaseStore, Owner};
use crate::range_store::{Answer, RangeStore};

struct Memory(MemoryStore);

impl Harness for Memory {
    fn client(&self) -> Answer<'_, Arc<dyn RangeStore>> {
        Box::pin(async { Ok(Arc::new(self.0.client()) as Arc<dyn RangeStore>) })
    }

    fn rewind<'a>(&'a self, key: &'a Key, value: u64) -> Option<Answer<'a, ()>> {
        Some(Box::pin(async move {
            self.0.rewind(key, value);
            Ok(())
        }))
    }

    fn wipe(&self) -> Option<Answer<'_, ()>> {
        Some(Box::pin(async {
            self.0.wipe();
            Ok(())
        }))
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_memory_store_keeps_the_contract() {
    assert_eq!(verify(&Memory(MemoryStore::default())).await, Ok(()));
}

impl LeaseHarness for Memory {
    fn client(&self) -> Answer<'_, Arc<dyn RangeStore>> {
        Harness::client(self)
    }

    fn waits(&self) -> bool {
        self.0.forgets_leases()
    }

    fn spoil<'a>(
        &'a self,
        scope: &'a LeaseScope,
        machine: u32,
        record: &'a str,
    ) -> Option<Answer<'a, ()>> {
        Some(Box::pin(async move {
            self.0.spoil_lease(scope, machine, record);
            Ok(())
        }))
    }

    fn wipe<'a>(&'a self, _: &'a LeaseScope) -> Option<Answer<'a, ()>> {
        Harness::wipe(self)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_memory_store_keeps_the_contract_of_leases() {
    assert_eq!(verify_leases(&Memory(MemoryStore::default())).await, Ok(()));
}

#[tokio::test]
async fn a_memory_store_that_forgets_keeps_the_contract_of_leases() {
    let store = MemoryStore::default();
    store.forget_leases_at_times();
    assert_eq!(verify_leases(&Memory(store)).await, Ok(()));
}

/// Deadlines are of the clock that the store was given, and clients share it.
#[tokio::test]
async fn a_memory_store_has_leases_end_by_its_own_clock() {
    let now_ms = Arc::new(AtomicU64::new(1_800_000_000_000));
    let clock = Arc::clone(&now_ms);
    // Relaxed: one thread moves it and reads it.
    let store = MemoryStore::default().with_clock(move || clock.load(Ordering::Relaxed));
    let client = store.client();
    let claim = |now_ms| Claim {
        scope: LeaseScope::new(&Namespace::default()),
        owner: Owner::fresh("test", 1),
        layout: Layout::new(&LayoutOptions::default(), now_ms).expect("the default layout"),
        ttl: Duration::from_secs(60),
        max_clock_skew: Duration::from_secs(5),
        failover_window: Duration::from_secs(30),
        first_start: true,
        may_create: true,
        machines: (7, 7),
        start: 7,
        now_ms,
        patience: Duration::from_secs(3),
    };
    let first = store.claim(claim(1_800_000_000_000)).await;
    first.expect("machine id 7");
    let second = client.claim(claim(1_800_000_000_000)).await;
    second.expect_err("it is held");
    now_ms.fetch_add(60_000, Ordering::Relaxed);
    let next = client.claim(claim(1_800_000_060_000)).await;
    assert_eq!(
        next.expect("machine id 7").former_ceiling_ms,
        1_800_000_060_000
    );
}

#[tokio::test]
async fn a_memory_store_loses_leases_when_it_is_told_to() {
    let store = MemoryStore::default();
    let scope = LeaseScope::new(&Namespace::default());
    store.spoil_lease(&scope, 3, "5|6|somebody");
    assert_eq!(store.lease(&scope, 3).as_deref(), Some("5|6|somebody"));
    store.forget_leases_at_times();
    store.wipe();
    assert_eq!(store.lease(&scope, 3), None);
    assert!(store.forgets_leases());
}
