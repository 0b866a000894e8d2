//! One connection, from its first byte to its end.
//!
//! The driver's own reconnecting is off: a connection that fails is over, and the next one is
//! another value, with another look at who the server is. What was under way when it ended has no
//! answer, and is never sent again from here.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use fred::clients::Client;
use fred::interfaces::ClientLike;
use fred::prelude::Error as FredError;
use fred::types::config::{
    Config, ConnectionConfig, PerformanceConfig, ServerConfig, TcpConfig, UnresponsiveConfig,
};
use fred::types::{ClusterHash, CustomCommand, Value};
use mintid_core::Result;
use parking_lot::Mutex;
use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep, sleep_until};

use super::address::Host;
use super::cluster::Redirect;
use super::target::{ClusterKnown, Target, server_at};

/// How long the other side may take for each step of a connection.
const STEP: Duration = Duration::from_secs(2);

/// How long all steps may take together, of which a Sentinel has several.
const OPENING: Duration = Duration::from_secs(5);

/// How many commands may wait for the connection.
const MOST_QUEUED: usize = 4_096;

/// Why a command gave nothing.
#[derive(Debug, Clone)]
pub(super) enum Failure {
    /// No answer came: it may have run or not.
    Unanswered(String),
    /// There was no connection to send it on, and the other side said so.
    Unreachable(String),
    /// It did not run: another node has the hash, and the next connection goes there.
    Redirected(String),
    /// What the server answered.
    Refused(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unanswered(text)
            | Self::Unreachable(text)
            | Self::Redirected(text)
            | Self::Refused(text) => f.write_str(text),
        }
    }
}

/// An open connection. Dropped, it is closed.
#[derive(Debug)]
pub(super) struct Connection {
    client: Client,
    router: AbortHandle,
    silence: Duration,
    /// Where redirects are left for the next connection.
    cluster: Arc<Mutex<ClusterKnown>>,
    /// The node's own name, which it leaves out of redirects.
    host: String,
    /// Whether each command has to ask for a slot that is on its way.
    is_asking: bool,
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
        if target.seeds.is_empty() {
            let mut config = target.config.clone();
            // The first Sentinel that takes the connection is believed, and it may be frozen, or
            // cut off from the others: another one is the first each time.
            if let ServerConfig::Sentinel { hosts, .. } = &mut config.server {
                fastrand::shuffle(hosts);
            }
            return Self::open_by(target, config, String::new(), false).await;
        }
        let node = target.node().await?;
        Self::open_at(target, &node.host, node.is_asking).await
    }

    /// Connects to one node of a cluster.
    pub(super) async fn open_at(
        target: &Target,
        host: &Host,
        is_asking: bool,
    ) -> Result<Self, Failure> {
        let mut config = target.config.clone();
        config.server = ServerConfig::Centralized {
            server: server_at(host, target.servername.as_ref()),
        };
        Self::open_by(target, config, host.name.clone(), is_asking).await
    }

    async fn open_by(
        target: &Target,
        config: Config,
        host: String,
        is_asking: bool,
    ) -> Result<Self, Failure> {
        let client = Client::new(
            config,
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
                // A command is not to wait for the answer to the one before it.
                tcp: TcpConfig {
                    nodelay: Some(true),
                    ..TcpConfig::default()
                },
                ..ConnectionConfig::default()
            }),
            None,
        );
        let mut task = client.connect();
        let connection = Self {
            router: task.abort_handle(),
            client,
            silence: target.silence,
            cluster: Arc::clone(&target.cluster),
            host,
            is_asking,
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
                Ok(Err(error)) => plain(error.details()),
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
                match answer {
                    Err(Failure::Refused(text)) => Err(self.refused(text)),
                    answer => answer,
                }
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

    /// What a refusal means for the connection: another server may be the one to ask.
    fn refused(&self, text: String) -> Failure {
        if let Some(redirect) = Redirect::parse(&text, &self.host) {
            self.cluster.lock().redirect = Some(redirect);
            self.end(&text);
            return Failure::Redirected(text);
        }
        if leads_elsewhere(&text) {
            self.end(&text);
        }
        Failure::Refused(text)
    }

    async fn ask(&self, command: &'static str, args: Vec<Value>) -> Result<Value, Failure> {
        let command = CustomCommand::new_static(command, ClusterHash::FirstKey, false);
        let answer: Result<Value, FredError> = if self.is_asking {
            // Together, because it holds for the one command that comes next.
            let pair = self.client.pipeline();
            let asking = CustomCommand::new_static("ASKING", ClusterHash::FirstKey, false);
            let _queued: Value = pair
                .custom(asking, Vec::<Value>::new())
                .await
                .map_err(|error| failure(&error))?;
            let _queued: Value = pair
                .custom(command, args)
                .await
                .map_err(|error| failure(&error))?;
            let mut answers = pair.try_all::<Value>().await;
            answers.pop().unwrap_or_else(|| Ok(Value::Null))
        } else {
            self.client.custom(command, args).await
        };
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
        Failure::Unanswered(plain(text))
    }
}

/// What a person can read of an error that the driver shows as code, such as
/// `Os { code: 111, kind: ConnectionRefused, message: "Connection refused" }`.
fn plain(text: &str) -> String {
    if !(text.contains(" { ") && text.ends_with('}')) {
        return text.to_owned();
    }
    let quoted = |field: &str| text.split_once(field)?.1.split('"').next();
    let inner = || text.split_once("error: ")?.1.strip_suffix(" }");
    let message = quoted("message: \"").or_else(|| quoted("error: \""));
    message.or_else(inner).unwrap_or(text).to_owned()
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
