//! Leases on one server, asked for below the store and looked at beside it.

use std::time::Duration;

use fred::types::Value;
use mintid_core::snowflake::{Layout, LayoutOptions};
use mintid_core::{Namespace, Result};

use super::servers::{Server, run, send};
use crate::StoreId;
use crate::lease_store::{Claim, Claimed, LeaseScope, Owner, Renew, Renewed};
use crate::redis::RedisOptions;
use crate::redis::connection::Connection;
use crate::redis::examine::{Demands, open};
use crate::redis::leases::{Manner, Question};
use crate::redis::script::PROBE;
use crate::redis::session::Session;
use crate::redis::target::Target;

pub(super) const LIMIT: Duration = Duration::from_secs(5);
pub(super) const TTL: Duration = Duration::from_secs(20);
pub(super) const SKEW: Duration = Duration::from_secs(5);
pub(super) const WINDOW: Duration = Duration::from_secs(30);

/// How a store asks by default.
pub(super) const PLAIN: Manner = Manner {
    is_durable: false,
    expires: true,
};

/// How one asks that proves all it writes.
pub(super) const DURABLE: Manner = Manner {
    is_durable: true,
    expires: true,
};

/// A session, a connection of the test's own, and hashes that nobody else has.
pub(super) struct Bench {
    pub(super) session: Session,
    pub(super) connection: Connection,
    pub(super) identity: String,
    pub(super) scope: LeaseScope,
}

impl Bench {
    pub(super) async fn new(server: &Server) -> Self {
        Self::new_at(server, "test").await
    }

    /// A bench whose scope is of this label, and so in a cluster on any of its nodes.
    pub(super) async fn new_at(server: &Server, label: &str) -> Self {
        let namespace = format!("{label}-{}", StoreId::fresh().as_str());
        let scope = LeaseScope::new(&Namespace::new(namespace).expect("a namespace"));
        let options = RedisOptions {
            key: scope.to_string(),
            ..server.options()
        };
        let connection = server.connection_to(scope.as_str()).await;
        let target = Target::new(server.address(), &options, LIMIT).expect("good options");
        let demands = Demands {
            store: "redis:".to_owned(),
            options,
            least: None,
        };
        let session = open(&target, &demands).await.expect("a session");
        let probed = PROBE.run(&connection, &[scope.as_str()], &[], LIMIT).await;
        let probed = probed.expect("an answer");
        Self {
            session,
            connection,
            identity: probed.get(0).expect("an identity").to_owned(),
            scope,
        }
    }

    pub(super) async fn now_ms(&self) -> u64 {
        let keys = [self.scope.as_str()];
        let probed = PROBE.run(&self.connection, &keys, &[], LIMIT).await;
        let probed = probed.expect("an answer");
        let part = |index| probed.number(index).expect("a time");
        part(2) * 1_000 + part(3) / 1_000
    }

    pub(super) async fn delete(&self) {
        let keys = [self.scope.as_str(), &self.scope.meta()];
        send(&self.connection, "DEL", &keys).await;
    }

    pub(super) async fn set(&self, key: &str, field: &str, value: Option<String>) {
        if let Some(value) = value {
            send(&self.connection, "HSET", &[key, field, &value]).await;
        }
    }

    pub(super) async fn get(&self, field: &str) -> Option<String> {
        let answer = send(&self.connection, "HGET", &[&self.scope.meta(), field]).await;
        answer.as_string()
    }
}

impl Bench {
    /// A claim of machine id 7 by `owner`, on the very first start.
    pub(super) async fn claim_7(&self, owner: &str) -> Claim {
        let now_ms = self.now_ms().await;
        Claim {
            scope: self.scope.clone(),
            owner: Owner::named(owner),
            layout: Layout::new(&LayoutOptions::default(), now_ms).expect("the default layout"),
            ttl: TTL,
            max_clock_skew: SKEW,
            failover_window: WINDOW,
            first_start: true,
            may_create: true,
            machines: (7, 7),
            start: 7,
            now_ms,
            patience: LIMIT,
        }
    }

    pub(super) async fn claim(&self, request: &Claim) -> Result<Claimed> {
        self.claim_by(request, PLAIN).await
    }

    pub(super) async fn claim_by(&self, request: &Claim, manner: Manner) -> Result<Claimed> {
        let asked = request.ask("redis:", &self.session, manner, LIMIT).await;
        let answered = asked.map_err(|refusal| refusal.into_error("redis:"));
        answered.map(|(claimed, _)| claimed)
    }

    /// A claim of machine id 7 that has to succeed.
    pub(super) async fn hold_7(&self, owner: &str) -> Claimed {
        let request = self.claim_7(owner).await;
        self.claim(&request).await.expect("machine id 7")
    }

    pub(super) async fn renew_7(&self, owner: &str) -> Renew {
        let claim = self.claim_7(owner).await;
        Renew {
            scope: claim.scope,
            owner: claim.owner,
            machine: 7,
            layout: claim.layout,
            ttl: claim.ttl,
            max_clock_skew: claim.max_clock_skew,
            now_ms: claim.now_ms,
            patience: claim.patience,
        }
    }

    pub(super) async fn renew(&self, owner: &str) -> Renewed {
        let request = self.renew_7(owner).await;
        let asked = request.ask("redis:", &self.session, PLAIN, LIMIT).await;
        asked.expect("an answer").0
    }

    /// Sets a field of the owners, as a client that keeps no records does.
    pub(super) async fn set_owner(&self, owner: &str) {
        let owner = Some(owner.to_owned());
        self.set(self.scope.as_str(), "7", owner).await;
    }

    pub(super) async fn owner(&self) -> Option<String> {
        let words = [self.scope.as_str(), "7"];
        send(&self.connection, "HGET", &words).await.as_string()
    }

    /// The seconds that the owner's field has left, as the server tells them.
    pub(super) async fn seconds_left(&self) -> i64 {
        let words = [self.scope.as_str(), "FIELDS", "1", "7"];
        match send(&self.connection, "HTTL", &words).await {
            Value::Array(parts) => parts[0].as_i64().expect("a number"),
            other => panic!("{other:?} is no list"),
        }
    }

    /// Lets the lease of machine id 7 end by its deadline.
    pub(super) async fn expire(&self) {
        let record = self.get("7").await.expect("a record");
        let (_, rest) = record.split_once('|').expect("a deadline");
        self.set(&self.scope.meta(), "7", Some(format!("1|{rest}")))
            .await;
    }
}

/// Runs `test` on hashes of its own, which are gone afterwards.
pub(super) fn with_bench(name: &str, test: impl AsyncFnOnce(&Bench)) {
    let Some(server) = Server::of(name) else {
        return;
    };
    run(async {
        let bench = Bench::new(&server).await;
        test(&bench).await;
        bench.delete().await;
    });
}
