//! The contract of leases, on every kind of server, and by clients of two kinds side by side.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use super::servers::{Server, run, send};
use crate::lease_contract::{LeaseHarness, verify_leases};
use crate::lease_store::LeaseScope;
use crate::{Answer, RangeStore};

/// Which clients a harness makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Such as let fields end, where the server can do that.
    Expiring,
    /// One of these, one that does not, and so on.
    Both,
}

struct Redis {
    server: Server,
    kind: Kind,
    made: AtomicU32,
}

impl LeaseHarness for Redis {
    fn client(&self) -> Answer<'_, Arc<dyn RangeStore>> {
        // Relaxed: it counts, and orders nothing.
        let made = self.made.fetch_add(1, Ordering::Relaxed);
        let store = self.server.store();
        let store = match self.kind {
            Kind::Both if made % 2 == 1 => store.without_field_expiry(),
            _ => store,
        };
        Box::pin(async { Ok(Arc::new(store) as Arc<dyn RangeStore>) })
    }

    fn spoil<'a>(
        &'a self,
        scope: &'a LeaseScope,
        machine: u32,
        record: &'a str,
    ) -> Option<Answer<'a, ()>> {
        Some(Box::pin(async move {
            let connection = self.server.connection_to(scope.as_str()).await;
            let words = [&*scope.meta(), &machine.to_string(), record];
            send(&connection, "HSET", &words).await;
            Ok(())
        }))
    }

    fn wipe<'a>(&'a self, scope: &'a LeaseScope) -> Option<Answer<'a, ()>> {
        Some(Box::pin(async move {
            let connection = self.server.connection_to(scope.as_str()).await;
            send(&connection, "DEL", &[scope.as_str(), &scope.meta()]).await;
            Ok(())
        }))
    }
}

fn keep_the_contract(name: &str, kind: Kind) {
    let Some(server) = Server::of(name) else {
        return;
    };
    let harness = Redis {
        server,
        kind,
        made: AtomicU32::new(0),
    };
    run(async { assert_eq!(verify_leases(&harness).await, Ok(())) });
}

#[test]
fn redis_7_keeps_the_contract_of_leases() {
    keep_the_contract("REDIS7", Kind::Expiring);
}

#[test]
fn redis_8_keeps_the_contract_of_leases() {
    keep_the_contract("REDIS8", Kind::Expiring);
}

#[test]
fn valkey_9_keeps_the_contract_of_leases() {
    keep_the_contract("VALKEY9", Kind::Expiring);
}

#[test]
fn a_cluster_keeps_the_contract_of_leases() {
    keep_the_contract("CLUSTER", Kind::Expiring);
}

#[test]
fn a_master_found_by_sentinels_keeps_the_contract_of_leases() {
    keep_the_contract("SENTINEL", Kind::Expiring);
}

#[test]
fn a_server_that_can_do_no_more_than_kvrocks_keeps_the_contract_of_leases() {
    keep_the_contract("KVROCKS", Kind::Expiring);
}

#[test]
fn clients_of_both_kinds_keep_the_contract_of_leases_on_redis_8() {
    keep_the_contract("REDIS8", Kind::Both);
}

#[test]
fn clients_of_both_kinds_keep_the_contract_of_leases_on_valkey_9() {
    keep_the_contract("VALKEY9", Kind::Both);
}
