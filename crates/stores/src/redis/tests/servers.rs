//! Servers that are there already, and hashes that nobody else uses.

use std::sync::Arc;
use std::time::Duration;

use fred::types::Value;
use mintid_core::options::Durability;

use crate::RangeStore;
use crate::StoreId;
use crate::redis::connection::Connection;
use crate::redis::target::Target;
use crate::redis::{RedisAddress, RedisOptions, RedisStore};

/// A server of the test run.
pub(super) struct Server {
    address: RedisAddress,
    options: RedisOptions,
}

impl Server {
    /// The server that `MINTID_TEST_{name}_URL` names; nothing, and a loud line, where there is
    /// none. In CI that is a failure.
    pub(super) fn of(name: &str) -> Option<Self> {
        let variable = format!("MINTID_TEST_{name}_URL");
        match std::env::var(&variable).ok().filter(|url| !url.is_empty()) {
            Some(url) => Some(Self {
                address: RedisAddress::parse(&url).expect("the test script writes good URLs"),
                options: RedisOptions {
                    key: format!("test:{}", StoreId::fresh().as_str()),
                    durability: Durability::None,
                    accept_loss: false,
                    needs_identity: true,
                    tls: None,
                },
            }),
            None if std::env::var_os("CI").is_some() => panic!("{variable} is missing"),
            None => {
                eprintln!(
                    "SKIPPED: {variable} names no server; `npm test -- servers rust` starts one"
                );
                None
            }
        }
    }

    pub(super) fn store(&self) -> RedisStore {
        RedisStore::new(&self.address, self.options.clone()).expect("good options")
    }

    pub(super) fn client(&self) -> Arc<dyn RangeStore> {
        Arc::new(self.store())
    }

    pub(super) fn hash(&self) -> &str {
        &self.options.key
    }

    /// A connection for commands of the test's own.
    pub(super) async fn connection(&self) -> Connection {
        self.connection_to(self.hash()).await
    }

    /// The same, to the node of a cluster that has `key`.
    pub(super) async fn connection_to(&self, key: &str) -> Connection {
        let silence = Duration::from_secs(5);
        let options = RedisOptions {
            key: key.to_owned(),
            ..self.options()
        };
        let target = Target::new(&self.address, &options, silence).expect("good options");
        Connection::open(&target).await.expect("a server")
    }

    pub(super) fn options(&self) -> RedisOptions {
        self.options.clone()
    }

    pub(super) fn address(&self) -> &RedisAddress {
        &self.address
    }
}

/// Sends a command of words and expects an answer.
pub(super) async fn send(connection: &Connection, command: &'static str, words: &[&str]) -> Value {
    let words = words.iter().map(|word| Value::from(*word)).collect();
    connection
        .call(command, words, Duration::from_secs(5))
        .await
        .expect("an answer")
}

/// Runs an async test as a program would: on a runtime with IO and time.
pub(super) fn run(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime")
        .block_on(test);
}
