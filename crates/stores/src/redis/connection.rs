//! One connection, from its first byte to its end.
//!
//! The driver's own reconnecting is off: a connection that fails is over, and the next one is
//! another value, with another look at who the server is. What was under way when it ended has no
//! answer, and is never sent again from here.

use std::fmt;
use std::time::Duration;

use fred::clients::Client;
use fred::interfaces::ClientLike;
use fred::prelude::Error as FredError;
use fred::types::config::{
    Config, ConnectionConfig, PerformanceConfig, Server, ServerConfig, UnresponsiveConfig,
};
use fred::types::{ClusterHash, CustomCommand, RespVersion, Value};
use mintid_core::Result;
use mintid_core::options::TlsOptions;
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep, sleep_until};

use super::address::{Host, RedisAddress, Servers};
use super::options::RedisOptions;
use super::tls;

/// How long the other side may take for each step of a connection.
const STEP: Duration = Duration::from_secs(2);

/// How long all steps may take together, of which a Sentinel has several.
const OPENING: Duration = Duration::from_secs(5);

/// How many commands may wait for the connection.
const MOST_QUEUED: usize = 1024;

/// What a connection is made from.
#[derive(Debug, Clone)]
pub(super) struct Target {
    config: Config,
    /// The slot of the hash: in a cluster it says which server is asked, also for commands that
    /// name no key.
    slot: u16,
    pub(super) key: String,
    /// How long nothing may be heard while something is asked.
    silence: Duration,
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
        let config = Config {
            fail_fast: true,
            username: address.username.clone(),
            password: address.password.clone(),
            database: address.database.filter(|number| *number > 0),
            server: server(&address.servers),
            // Kvrocks has the newer protocol switched off in many versions.
            version: RespVersion::RESP2,
            tls,
            ..Config::default()
        };
        Ok(Self {
            config,
            slot: fred::util::redis_keyslot(options.key.as_bytes()),
            key: options.key.clone(),
            silence,
        })
    }

    pub(super) fn is_cluster(&self) -> bool {
        self.config.server.is_clustered()
    }
}

fn server(servers: &Servers) -> ServerConfig {
    let one = |host: &Host| Server::new(host.name.clone(), host.port);
    match servers {
        Servers::Single(host) => ServerConfig::Centralized { server: one(host) },
        Servers::Cluster(hosts) => ServerConfig::Clustered {
            hosts: hosts.iter().map(one).collect(),
            policy: Default::default(),
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
        Servers::Unix(path) => ServerConfig::Unix { path: path.clone() },
    }
}

/// Why a command gave nothing.
#[derive(Debug, Clone)]
pub(super) enum Failure {
    /// No answer came: it may have run or not.
    Unanswered(String),
    /// There was no connection to send it on, and the other side said so.
    Unreachable(String),
    /// What the server answered.
    Refused(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unanswered(text) | Self::Unreachable(text) | Self::Refused(text) => {
                f.write_str(text)
            }
        }
    }
}

/// An open connection. Dropped, it is closed.
#[derive(Debug)]
pub(super) struct Connection {
    client: Client,
    router: AbortHandle,
    slot: u16,
    silence: Duration,
    /// When something was last heard.
    heard: Mutex<Instant>,
    /// Why it is over, once it is.
    over: watch::Sender<Option<String>>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.router.abort();
    }
}

impl Connection {
    /// Connects, and waits until the server has answered once.
    pub(super) async fn open(target: &Target) -> Result<Self, Failure> {
        let client = Client::new(
            target.config.clone(),
            Some(PerformanceConfig {
                // Each call has a limit of its own.
                default_command_timeout: Duration::ZERO,
                ..PerformanceConfig::default()
            }),
            Some(ConnectionConfig {
                connection_timeout: STEP,
                internal_command_timeout: STEP,
                // A command that is sent again may run twice.
                max_command_attempts: 1,
                max_command_buffer_len: MOST_QUEUED,
                // Silence is noticed here, by what is heard and not by what is sent.
                unresponsive: UnresponsiveConfig::default(),
                reconnect_errors: Vec::new(),
                ..ConnectionConfig::default()
            }),
            None,
        );
        let mut task = client.connect();
        let connection = Self {
            router: task.abort_handle(),
            client,
            slot: target.slot,
            silence: target.silence,
            heard: Mutex::new(Instant::now()),
            over: watch::Sender::new(None),
        };
        let opened = tokio::select! {
            biased;
            ended = &mut task => Err(match ended {
                Ok(Err(error)) => failure_to_connect(&error),
                _ => Failure::Unanswered("the connection ended as it was opened".to_owned()),
            }),
            answer = connection.ask("PING", Vec::new()) => answer.map(drop),
            () = sleep(OPENING) => Err(Failure::Unanswered(format!(
                "no connection within {} ms", OPENING.as_millis()
            ))),
        };
        opened?;
        let over = connection.over.clone();
        tokio::spawn(async move {
            let reason = match task.await {
                Ok(Err(error)) => error.details().to_owned(),
                _ => "the connection was closed".to_owned(),
            };
            end(&over, reason);
        });
        Ok(connection)
    }

    /// Waits until the connection is over; why.
    pub(super) async fn ended(&self) -> String {
        let mut over = self.over.subscribe();
        // The sender lives as long as the connection that is borrowed here.
        let reason = over.wait_for(Option::is_some).await;
        reason.ok().and_then(|it| it.clone()).unwrap_or_default()
    }

    pub(super) fn is_over(&self) -> bool {
        self.over.borrow().is_some()
    }

    /// Ends the connection. Whoever waits for an answer on it is told.
    pub(super) fn end(&self, reason: &str) {
        end(&self.over, reason.to_owned());
        self.router.abort();
    }

    /// Asks the server that has the hash, and waits for its answer no longer than `limit`.
    ///
    /// # Cancel safety
    /// A command that was sent may run all the same.
    pub(super) async fn call(
        &self,
        command: &'static str,
        args: Vec<Value>,
        limit: Duration,
    ) -> Result<Value, Failure> {
        tokio::select! {
            biased;
            answer = self.ask(command, args) => {
                if let Err(Failure::Refused(text)) = &answer && leads_elsewhere(text) {
                    self.end(text);
                }
                answer
            }
            reason = self.ended() => Err(Failure::Unanswered(reason)),
            () = self.silence() => {
                let reason = format!("nothing was heard for {} ms", self.silence.as_millis());
                self.end(&reason);
                Err(Failure::Unanswered(reason))
            }
            () = sleep(limit) => Err(Failure::Unanswered(format!(
                "no answer within {} ms", limit.as_millis()
            ))),
        }
    }

    async fn ask(&self, command: &'static str, args: Vec<Value>) -> Result<Value, Failure> {
        use fred::interfaces::ClientLike as _;
        let command = CustomCommand::new_static(command, ClusterHash::Custom(self.slot), false);
        let answer: Result<Value, FredError> = self.client.custom(command, args).await;
        let answer = answer.map_err(|error| failure(&error));
        if !matches!(answer, Err(Failure::Unanswered(_))) {
            *self.heard.lock() = Instant::now();
        }
        answer
    }

    /// Waits until nothing has been heard for too long since now. Any answer counts: a server
    /// that serves others is not dead, and every connection that is black-holed is.
    async fn silence(&self) {
        let asked = Instant::now();
        loop {
            let heard = *self.heard.lock();
            let limit = asked.max(heard) + self.silence;
            if limit <= Instant::now() {
                return;
            }
            sleep_until(limit).await;
        }
    }
}

fn end(over: &watch::Sender<Option<String>>, reason: String) {
    over.send_if_modified(|over| {
        let is_first = over.is_none();
        over.get_or_insert(reason);
        is_first
    });
}

/// Whether an answer says that another server is to be asked, or this one by another connection.
fn leads_elsewhere(text: &str) -> bool {
    let word = text.split(' ').next().unwrap_or_default();
    matches!(
        word,
        "READONLY" | "LOADING" | "MASTERDOWN" | "CLUSTERDOWN" | "NOAUTH" | "UNBLOCKED"
    )
}

/// An error of the server begins with a word in capitals; the driver's own do not.
fn failure(error: &FredError) -> Failure {
    let text = error.details();
    let word = text.split(' ').next().unwrap_or_default();
    let is_answer = word.len() > 2 && word.bytes().all(|byte| byte.is_ascii_uppercase());
    if is_answer {
        Failure::Refused(text.to_owned())
    } else {
        Failure::Unanswered(text.to_owned())
    }
}

/// What came of an attempt to connect: an answer of any kind, or silence.
fn failure_to_connect(error: &FredError) -> Failure {
    match failure(error) {
        refused @ Failure::Refused(_) => refused,
        _ if error.kind() == &fred::error::ErrorKind::Timeout => {
            Failure::Unanswered("the server does not answer".to_owned())
        }
        other => Failure::Unreachable(other.to_string()),
    }
}
