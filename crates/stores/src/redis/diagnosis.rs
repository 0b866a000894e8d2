//! A look at a server on a connection of its own, whatever it is like: also one that no store
//! would be used on.

use std::time::{Duration, Instant, SystemTime};

use fred::types::Value;
use mintid_core::options::Durability;
use mintid_core::{Error, Result};

use super::connection::{Connection, Failure};
use super::error::told;
use super::examine::is_forbidden;
use super::options::RedisOptions;
use super::reply::text;
use super::script::PROBE;
use super::server::ServerInfo;
use super::session::{COMMAND_LIMIT, Protection};
use super::target::Target;
use crate::range_store::Diagnosis;

/// How many round trips are timed.
const ROUND_TRIPS: usize = 5;

/// How far clocks may be apart: the bound that leases of machine ids live with.
const MOST_SKEW: Duration = Duration::from_secs(5);

/// Looks at everything and judges it.
pub(super) async fn diagnose(
    store: &str,
    target: &Target,
    options: &RedisOptions,
) -> Result<Diagnosis> {
    let look = Look::new(store, target).await?;
    let mut told = Diagnosis::default();
    look.facts(&mut told);
    look.judge_server(&mut told);
    look.judge_memory(&mut told);
    look.judge_persistence(&mut told, options);
    look.judge_protection(&mut told);
    look.judge_clock(&mut told);
    Ok(told)
}

/// What was seen.
struct Look {
    server: ServerInfo,
    protection: Protection,
    round_trip: Duration,
    /// How far the server's clock is ahead, in ms.
    ahead_ms: i64,
    appendfsync: Option<String>,
    snapshots: Option<String>,
    min_replicas: Option<String>,
    expires_s: Option<i64>,
    fields: Option<i64>,
    /// What the server says of the key, if that is no hash.
    wrong_type: Option<String>,
}

impl Look {
    async fn new(store: &str, target: &Target) -> Result<Self> {
        let failed = |failure: Failure| -> Error { told(store, &failure) };
        let connection = Connection::open(target).await.map_err(failed)?;
        let ask = |command, args: Vec<Value>| connection.call(command, args, COMMAND_LIMIT);
        let mut round_trips = Vec::with_capacity(ROUND_TRIPS);
        let mut ahead_ms = 0;
        for _ in 0..ROUND_TRIPS {
            let sent = Instant::now();
            let here = SystemTime::now();
            let time = ask("TIME", Vec::new()).await.map_err(failed)?;
            round_trips.push(sent.elapsed());
            ahead_ms = ahead(&time, here + sent.elapsed() / 2);
        }
        round_trips.sort();
        let info = forbidden_is_none(ask("INFO", Vec::new()).await).map_err(failed)?;
        let server = info.and_then(|info| text(&info)).unwrap_or_default();
        let server = ServerInfo::parse(&server);
        let seconds = SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .map_or(0, |since| since.as_secs());
        let probed = PROBE
            .run(&connection, &[&target.key], &[], COMMAND_LIMIT)
            .await;
        let protection = match forbidden_is_none(probed).map_err(failed)? {
            None => Protection::Plain,
            Some(reply) if reply.get(0).is_some() => Protection::Script,
            Some(_) if server.identity(seconds).is_some() => Protection::Told,
            Some(_) => Protection::Unidentified,
        };
        let key = || vec![Value::from(target.key.as_str())];
        let expires = forbidden_is_none(ask("TTL", key()).await).map_err(failed)?;
        let (fields, wrong_type) = match ask("HLEN", key()).await {
            Ok(count) => (count.as_i64(), None),
            Err(Failure::Refused(text)) if text.starts_with("WRONGTYPE") => (None, Some(text)),
            Err(_) => (None, None),
        };
        let config = async |name: &str| {
            let args = vec![Value::from("GET"), Value::from(name)];
            match ask("CONFIG", args).await {
                Ok(Value::Array(parts)) => parts.get(1).and_then(text),
                // Hosted servers forbid it.
                _ => None,
            }
        };
        Ok(Self {
            protection,
            round_trip: round_trips[ROUND_TRIPS / 2],
            ahead_ms,
            appendfsync: config("appendfsync").await,
            snapshots: config("save").await,
            min_replicas: config("min-replicas-to-write").await,
            expires_s: expires.and_then(|it| it.as_i64()).filter(|it| *it >= 0),
            fields,
            wrong_type,
            server,
        })
    }

    fn facts(&self, told: &mut Diagnosis) {
        let server = &self.server;
        let unknown = || "unknown".to_owned();
        told.fact("server", server.product());
        told.fact("mode", server.get("redis_mode").unwrap_or("standalone"));
        told.fact("role", server.role());
        told.fact("replicas", server.replicas());
        told.fact("persistence", self.persistence());
        told.fact(
            "eviction policy",
            server.get("maxmemory_policy").unwrap_or("unknown"),
        );
        told.fact("round trip", format!("{} µs", self.round_trip.as_micros()));
        told.fact("clock difference", format!("{} ms", self.ahead_ms));
        told.fact("protection", self.protection.as_str());
        told.fact(
            "fields",
            self.fields.map_or_else(unknown, |it| it.to_string()),
        );
    }

    fn persistence(&self) -> String {
        if self.server.is_on_disk() {
            return "on disk".to_owned();
        }
        if !self.server.tells_persistence() {
            return "unknown".to_owned();
        }
        let aof = self.server.has_aof().then(|| {
            let fsync = self.appendfsync.as_deref().unwrap_or("unknown");
            format!("append-only file, fsync {fsync}")
        });
        let snapshots = match self.snapshots.as_deref() {
            Some("") => None,
            Some(rules) => Some(format!("snapshots ({rules})")),
            None => Some("snapshots unknown".to_owned()),
        };
        let kinds: Vec<_> = aof.into_iter().chain(snapshots).collect();
        if kinds.is_empty() {
            "none".to_owned()
        } else {
            kinds.join(", ")
        }
    }

    fn judge_server(&self, told: &mut Diagnosis) {
        if self.server.is_active_active {
            told.warn(
                "the server merges its writes with those of other masters",
                "use a server with a single master: no counter survives a merge",
            );
        }
        match self.server.role() {
            "master" => told.ok("it is a master"),
            "unknown" => told.advise(
                "it does not tell its role",
                "allow INFO to this user, so that a replica is noticed",
            ),
            role => told.warn(
                format!("it is a {role}"),
                "give the address of the master, of a Sentinel, or of the cluster",
            ),
        }
        if let Some(text) = &self.wrong_type {
            told.warn(
                format!("the key of the counters holds something else ({text})"),
                "give another key, or move what is there",
            );
        }
        if let Some(seconds) = self.expires_s {
            told.warn(
                format!("the hash of the counters expires in {seconds} s"),
                "PERSIST it, and find out who set the time",
            );
        }
    }

    fn judge_memory(&self, told: &mut Diagnosis) {
        match (
            self.server.evicts_anything(),
            self.server.get("maxmemory_policy"),
        ) {
            (Some(policy), _) => told.warn(
                format!("it evicts any key when its memory is full ({policy}), counters too"),
                "set maxmemory-policy noeviction, or volatile-* where caches share the server",
            ),
            (None, Some(policy)) => told.ok(format!("it evicts no counter ({policy})")),
            (None, None) => told.advise(
                "it does not tell whether it evicts keys",
                "see to it that maxmemory-policy is noeviction or volatile-*",
            ),
        }
    }

    fn judge_persistence(&self, told: &mut Diagnosis, options: &RedisOptions) {
        let has_snapshots = self.snapshots.as_deref() != Some("");
        let has_replicas = self.server.replicas() > 0;
        if !self.server.tells_persistence() {
            told.advise(
                "it does not tell how it keeps what it has",
                "allow INFO to this user; see to it that it has an append-only file or a replica",
            );
        } else if self.server.is_on_disk() {
            told.ok("it keeps all on disk; what a power cut loses, the jump covers");
        } else if !self.server.has_aof() && !has_snapshots && !has_replicas {
            told.warn(
                "it has neither persistence nor a replica: a restart forgets every counter",
                "set appendonly yes, or add a replica",
            );
        } else if !self.server.has_aof() && !has_replicas {
            told.advise(
                "it has snapshots only: a crash forgets what came after the last one",
                "set appendonly yes",
            );
        } else if self.appendfsync.as_deref() == Some("always") {
            told.ok("a crash of the server loses nothing");
        } else {
            told.ok("a crash may lose a second or two of grants, which the jump covers");
        }
        if has_replicas && self.min_replicas.as_deref() == Some("0") {
            told.advise(
                "a master that was cut off from its replicas goes on accepting writes",
                "set min-replicas-to-write 1 and min-replicas-max-lag 1",
            );
        }
        if options.durability == Durability::None && (has_replicas || self.server.has_aof()) {
            told.advise(
                "ranges are served before a disk or a replica has them; what a failover loses is \
                 leapt over",
                "where leaps hurt, set durability to \"disk\" or { replicas: 1 }, together with a \
                 small jump",
            );
        }
    }

    fn judge_protection(&self, told: &mut Diagnosis) {
        let what = self.protection.as_str();
        if self.protection >= Protection::Told {
            told.ok(format!("restarts and promotions are noticed ({what})"));
        } else {
            told.warn(
                format!("a restart that loses something is not noticed ({what})"),
                "allow EVAL, EVALSHA, TIME and INFO to this user",
            );
        }
    }

    fn judge_clock(&self, told: &mut Diagnosis) {
        let apart = Duration::from_millis(self.ahead_ms.unsigned_abs());
        if apart > MOST_SKEW {
            told.warn(
                format!(
                    "its clock and the one here are {} ms apart",
                    apart.as_millis()
                ),
                "synchronise both by NTP",
            );
        } else {
            told.ok("its clock agrees with the one here");
        }
    }
}

/// How far the server's clock, read at `here`, is ahead, in ms.
fn ahead(time: &Value, here: SystemTime) -> i64 {
    let Value::Array(parts) = time else { return 0 };
    let number = |index: usize| -> Option<i64> { text(parts.get(index)?)?.parse().ok() };
    let there_ms = number(0).unwrap_or(0) * 1000 + number(1).unwrap_or(0) / 1000;
    let here_ms = here
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |since| since.as_millis() as i64);
    there_ms - here_ms
}

fn forbidden_is_none<T>(answer: Result<T, Failure>) -> Result<Option<T>, Failure> {
    match answer {
        Ok(value) => Ok(Some(value)),
        Err(Failure::Refused(text)) if is_forbidden(&text) => Ok(None),
        Err(failure) => Err(failure),
    }
}
