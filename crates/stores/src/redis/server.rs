//! What `INFO` tells of a server. Texts in, facts out: nothing is asked here.

use std::collections::HashMap;

/// The fields of an `INFO` text that matter here.
#[derive(Debug, Clone, Default)]
pub(super) struct ServerInfo {
    fields: HashMap<String, String>,
    /// Whether writes of other masters are merged in, one of which a counter cannot survive.
    pub(super) is_active_active: bool,
}

impl ServerInfo {
    pub(super) fn parse(text: &str) -> Self {
        let lines = || text.lines().map(str::trim_end);
        let fields = lines()
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let mut info = Self {
            fields,
            is_active_active: false,
        };
        info.is_active_active = lines().any(|line| line.contains("name=crdt"))
            || info.get("role").is_some_and(|role| role.contains("active"));
        info
    }

    pub(super) fn get(&self, field: &str) -> Option<&str> {
        self.fields
            .get(field)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    pub(super) fn number(&self, field: &str) -> Option<u64> {
        self.get(field)?.parse().ok()
    }

    /// The product's name and version. Valkey goes on telling a version of Redis beside its own.
    pub(super) fn product(&self) -> String {
        let version = |field| self.get(field);
        let (name, version) = if let Some(version) = version("valkey_version") {
            ("Valkey", version)
        } else if let Some(version) = version("kvrocks_version").or(version("version")) {
            ("Kvrocks", version)
        } else if let Some(version) = version("dragonfly_version") {
            ("Dragonfly", version)
        } else {
            (
                "Redis",
                version("redis_version").unwrap_or("of no known version"),
            )
        };
        format!("{name} {version}")
    }

    /// Whether it keeps all it has on disk by nature.
    pub(super) fn is_on_disk(&self) -> bool {
        self.product().starts_with("Kvrocks")
    }

    /// Whether it tells how it keeps what it has.
    pub(super) fn tells_persistence(&self) -> bool {
        self.is_on_disk() || self.get("aof_enabled").is_some()
    }

    pub(super) fn role(&self) -> &str {
        self.get("role").unwrap_or("unknown")
    }

    pub(super) fn has_aof(&self) -> bool {
        self.get("aof_enabled") == Some("1")
    }

    pub(super) fn replicas(&self) -> u64 {
        self.number("connected_slaves").unwrap_or(0)
    }

    /// The policy under which keys that nobody marked may vanish.
    pub(super) fn evicts_anything(&self) -> Option<&str> {
        self.get("maxmemory_policy")
            .filter(|policy| policy.starts_with("allkeys-"))
    }

    /// What tells this life of this server from every other, as the scripts see it; nothing where
    /// the server does not tell or tells a constant.
    pub(super) fn identity(&self, now_seconds: u64) -> Option<String> {
        let short = |text: &str| text.chars().take(16).collect::<String>();
        match (self.get("run_id"), self.get("master_replid")) {
            (Some(run), Some(history)) => {
                let first = run.chars().next()?;
                let is_constant = run.chars().all(|letter| letter == first);
                (!is_constant).then(|| format!("{}:{}", short(run), short(history)))
            }
            _ => {
                let process = self.number("process_id")?;
                let port = self.number("tcp_port")?;
                let started = now_seconds.saturating_sub(self.number("uptime_in_seconds")?);
                Some(format!("k{process}:{port}:{started}"))
            }
        }
    }
}
