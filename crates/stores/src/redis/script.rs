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
    ($name:ident, $file:literal, $what:literal $(, after $before:literal)?) => {
        #[doc = $what]
        pub(super) static $name: LazyLock<Script> = LazyLock::new(|| {
            Script::new(concat!(
                include_str!("lua/common.lua"),
                $(include_str!(concat!("lua/", $before)),)?
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
script!(CLAIM, "claim.lua", "Claims a machine id.", after "leases.lua");
script!(RENEW, "renew.lua", "Renews a lease.", after "leases.lua");
script!(RELEASE, "release.lua", "Gives a machine id back.", after "leases.lua");
script!(FREE, "free.lua", "Frees a machine id by force.", after "leases.lua");
script!(MACHINES, "machines.lua", "What is kept of machine ids.", after "leases.lua");
script!(
    CONFIRM_LEASE,
    "confirm_lease.lua",
    "Whether a lease is still remembered.",
    after "leases.lua"
);

impl Script {
    fn new(source: &str) -> Self {
        Self {
            source: source.to_owned(),
            hash: fred::util::sha1_hash(source),
        }
    }

    /// The same script, broken off after so many writes: for tests. Also those are counted that it
    /// does without.
    #[cfg(test)]
    pub(super) fn cut_after(&self, writes: usize) -> Self {
        let before = include_str!("lua/cut.lua").replace("WRITES", &writes.to_string());
        Self::new(&(before + &self.source))
    }

    /// Runs the script on the hashes `keys`. A server that does not know it is sent the source, and
    /// knows it from then on.
    ///
    /// # Errors
    /// As for [`Connection::call`], and for an answer without a shape.
    pub(super) async fn run(
        &self,
        connection: &Connection,
        keys: &[&str],
        args: &[&str],
        limit: Duration,
    ) -> Result<Reply, Failure> {
        let by_hash = self.call(connection, "EVALSHA", &self.hash, keys, args, limit);
        let answer = match by_hash.await {
            Err(Failure::Refused(text)) if text.starts_with("NOSCRIPT") => {
                self.call(connection, "EVAL", &self.source, keys, args, limit)
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
        keys: &[&str],
        args: &[&str],
        limit: Duration,
    ) -> Result<Value, Failure> {
        let mut words: Vec<Value> = Vec::with_capacity(args.len() + keys.len() + 2);
        words.push(script.into());
        words.push(i64::try_from(keys.len()).unwrap_or(i64::MAX).into());
        words.extend(keys.iter().chain(args).map(|word| Value::from(*word)));
        connection.call(command, words, limit).await
    }
}
