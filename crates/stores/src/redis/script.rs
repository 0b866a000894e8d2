//! The scripts, called by their hash.

use std::sync::LazyLock;
use std::time::Duration;

use fred::types::Value;

use super::connection::{Connection, Failure};
use super::reply::Reply;

/// A script and its hash.
#[derive(Debug)]
pub(super) struct Script {
    source: String,
    hash: String,
}

macro_rules! script {
    ($name:ident, $file:literal, $what:literal) => {
        #[doc = $what]
        pub(super) static $name: LazyLock<Script> = LazyLock::new(|| {
            Script::new(concat!(
                include_str!("lua/common.lua"),
                include_str!(concat!("lua/", $file))
            ))
        });
    };
}

script!(PROBE, "probe.lua", "What a script can see of the server.");
script!(RESERVE, "reserve.lua", "Grants a range.");
script!(FLOOR, "floor.lua", "Raises a counter.");
script!(SEAL, "seal.lua", "Seals a key.");
script!(PROVED, "proved.lua", "Notes that a leap was proved.");
script!(
    CONFIRM,
    "confirm.lua",
    "Whether a range is still remembered."
);

impl Script {
    fn new(source: &str) -> Self {
        Self {
            source: source.to_owned(),
            hash: fred::util::sha1_hash(source),
        }
    }

    /// Runs the script on the hash `key`. A server that does not know it is sent the source, and
    /// knows it from then on.
    ///
    /// # Errors
    /// As for [`Connection::call`], and for an answer without a shape.
    pub(super) async fn run(
        &self,
        connection: &Connection,
        key: &str,
        args: &[&str],
        limit: Duration,
    ) -> Result<Reply, Failure> {
        let by_hash = self.call(connection, "EVALSHA", &self.hash, key, args, limit);
        let answer = match by_hash.await {
            Err(Failure::Refused(text)) if text.starts_with("NOSCRIPT") => {
                self.call(connection, "EVAL", &self.source, key, args, limit)
                    .await?
            }
            other => other?,
        };
        Reply::new(answer)
    }

    async fn call(
        &self,
        connection: &Connection,
        command: &'static str,
        script: &str,
        key: &str,
        args: &[&str],
        limit: Duration,
    ) -> Result<Value, Failure> {
        let mut words: Vec<Value> = Vec::with_capacity(args.len() + 3);
        words.push(script.into());
        words.push(1.into());
        words.push(key.into());
        words.extend(args.iter().map(|word| Value::from(*word)));
        connection.call(command, words, limit).await
    }
}
