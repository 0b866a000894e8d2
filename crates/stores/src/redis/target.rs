//! What connections are made from, and what is known of where they lead.

use std::sync::Arc;
use std::time::Duration;

use fred::types::RespVersion;
use fred::types::config::{Config, Server, ServerConfig};
use mintid_core::Result;
use mintid_core::options::TlsOptions;
use parking_lot::Mutex;

use super::address::{Host, RedisAddress, Servers};
use super::cluster::{self, Redirect};
use super::connection::Failure;
use super::options::RedisOptions;
use super::tls;

/// What a connection is made from.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub(super) config: Config,
    /// Where a cluster may be asked; empty for anything else.
    pub(super) seeds: Vec<Host>,
    /// What is known of the cluster beside that.
    pub(super) cluster: Arc<Mutex<ClusterKnown>>,
    /// The slot of the hash, which one node of a cluster has.
    pub(super) slot: u16,
    pub(super) key: String,
    /// The name that the server's certificate has to hold, where that is not the host.
    pub(super) servername: Option<String>,
    /// How long nothing may be heard while something is asked.
    pub(super) silence: Duration,
}

/// What a cluster told of itself.
#[derive(Debug, Default)]
pub(super) struct ClusterKnown {
    nodes: Vec<Host>,
    /// Where the last connection was sent: followed once.
    pub(super) redirect: Option<Redirect>,
}

impl Target {
    /// # Errors
    /// The part of `tls` that cannot be used, and why.
    pub(super) fn new(
        address: &RedisAddress,
        options: &RedisOptions,
        silence: Duration,
    ) -> Result<Self, (&'static str, String)> {
        let tls = match &options.tls {
            Some(options) => Some(tls::config(options)?),
            None if address.tls => Some(tls::config(&TlsOptions::default())?),
            None => None,
        };
        let servername = options.tls.as_ref().and_then(|tls| tls.servername.as_ref());
        if servername.is_some() && matches!(address.servers, Servers::Sentinel { .. }) {
            let reason = "the masters that Sentinels name are known by their own names";
            return Err(("servername", reason.to_owned()));
        }
        let config = Config {
            fail_fast: true,
            username: address.username.clone(),
            password: address.password.clone(),
            database: address.database.filter(|number| *number > 0),
            server: server(&address.servers, servername),
            // Kvrocks has the newer protocol switched off in many versions.
            version: RespVersion::RESP2,
            tls,
            ..Config::default()
        };
        Ok(Self {
            config,
            seeds: match &address.servers {
                Servers::Cluster(hosts) => hosts.clone(),
                _ => Vec::new(),
            },
            cluster: Arc::default(),
            slot: fred::util::redis_keyslot(options.key.as_bytes()),
            key: options.key.clone(),
            servername: servername.cloned(),
            silence,
        })
    }

    /// The same for a connection that may be silent for another time, and follows other redirects.
    pub(super) fn with_silence(&self, silence: Duration) -> Self {
        Self {
            cluster: Arc::default(),
            silence,
            ..self.clone()
        }
    }

    /// The node that has the hash: where the last one sent us, or else where the cluster says.
    pub(super) async fn node(&self) -> Result<Redirect, Failure> {
        let (redirect, mut hosts) = {
            let mut known = self.cluster.lock();
            (known.redirect.take(), known.nodes.clone())
        };
        if let Some(redirect) = redirect {
            return Ok(redirect);
        }
        // Nodes that have gone since are no loss while one that was given is still there.
        hosts.extend(self.seeds.iter().cloned());
        fastrand::shuffle(&mut hosts);
        let (host, nodes) = cluster::find(self, &hosts).await?;
        self.cluster.lock().nodes = nodes;
        Ok(Redirect {
            host,
            is_asking: false,
        })
    }
}

/// A node, under the name that its certificate has to hold.
pub(super) fn server_at(host: &Host, servername: Option<&String>) -> Server {
    Server::new_with_tls(host.name.clone(), host.port, servername.cloned())
}

fn server(servers: &Servers, servername: Option<&String>) -> ServerConfig {
    let one = |host: &Host| server_at(host, servername);
    match servers {
        Servers::Single(host) => ServerConfig::Centralized { server: one(host) },
        // Each of its nodes is a server by itself; which one is found at each connection.
        Servers::Cluster(hosts) => ServerConfig::Centralized {
            server: one(&hosts[0]),
        },
        Servers::Sentinel {
            sentinels,
            service,
            username,
            password,
        } => ServerConfig::Sentinel {
            hosts: sentinels.iter().map(one).collect(),
            service_name: service.clone(),
            username: username.clone(),
            password: password.clone(),
        },
        #[cfg(unix)]
        Servers::Unix(path) => ServerConfig::Unix { path: path.clone() },
    }
}
