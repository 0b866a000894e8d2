//! The contract, on every kind of server.

use std::sync::Arc;

use mintid_core::{Key, Result};

use super::servers::{Server, run, send};
use crate::contract::{Harness, verify};
use crate::{Answer, RangeStore};

struct Redis(Server);

impl Harness for Redis {
    fn client(&self) -> Answer<'_, Arc<dyn RangeStore>> {
        Box::pin(async { Ok(self.0.client()) })
    }

    fn rewind<'a>(&'a self, key: &'a Key, value: u64) -> Option<Answer<'a, ()>> {
        Some(Box::pin(async move {
            let words = [self.0.hash(), key.as_str(), &value.to_string()];
            send(&self.0.connection().await, "HSET", &words).await;
            Result::Ok(())
        }))
    }

    fn wipe(&self) -> Option<Answer<'_, ()>> {
        Some(Box::pin(async {
            send(&self.0.connection().await, "DEL", &[self.0.hash()]).await;
            Result::Ok(())
        }))
    }
}

fn keep_the_contract(name: &str) {
    let Some(server) = Server::of(name) else {
        return;
    };
    let harness = Redis(server);
    run(async {
        let verdict = verify(&harness).await;
        let connection = harness.0.connection().await;
        send(&connection, "DEL", &[harness.0.hash()]).await;
        assert_eq!(verdict, Ok(()));
    });
}

#[test]
fn redis_7_keeps_the_contract() {
    keep_the_contract("REDIS7");
}

#[test]
fn redis_8_keeps_the_contract() {
    keep_the_contract("REDIS8");
}

#[test]
fn valkey_9_keeps_the_contract() {
    keep_the_contract("VALKEY9");
}

#[test]
fn a_cluster_keeps_the_contract() {
    keep_the_contract("CLUSTER");
}

#[test]
fn a_master_found_by_sentinels_keeps_the_contract() {
    keep_the_contract("SENTINEL");
}

#[test]
fn a_server_that_can_do_no_more_than_kvrocks_keeps_the_contract() {
    keep_the_contract("KVROCKS");
}
