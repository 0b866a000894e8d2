//! A connection with what was found out about the server at its other end.

use std::sync::Arc;
use std::time::Duration;

use super::connection::{Connection, Failure};
use super::server::ServerInfo;
use super::target::Target;

/// How long one command may take. Three of them fit into the shortest patience that callers have
/// by default.
pub(super) const COMMAND_LIMIT: Duration = Duration::from_secs(1);

/// How well restarts and promotions that lost something are noticed. It is found at the first
/// connection of a process and never falls afterwards: a server that offers less is not used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Protection {
    /// Scripts are refused: only who remembers more than the server notices.
    Plain,
    /// Scripts run, and nothing tells this server from another.
    Unidentified,
    /// The client reads who the server is, on each connection, and tells the scripts.
    Told,
    /// The scripts see for themselves who the server is.
    Script,
}

impl Protection {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::Plain => "floors only: scripts are refused, or not to be had",
            Self::Unidentified => "scripts and floors: the server does not tell who it is",
            Self::Told => "scripts, floors and the server's identity, read by the client",
            Self::Script => "scripts, floors and the server's identity, read by the scripts",
        }
    }
}

/// A connection that is ready for use.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) connection: Arc<Connection>,
    pub(super) protection: Protection,
    /// What scripts are told of the server: nothing where they see for themselves.
    pub(super) identity: String,
    pub(super) server: ServerInfo,
    pub(super) key: String,
}

impl Session {
    pub(super) fn new(
        connection: Connection,
        target: &Target,
        protection: Protection,
        identity: String,
        server: ServerInfo,
    ) -> Self {
        Self {
            connection: Arc::new(connection),
            protection,
            identity,
            server,
            key: target.key.clone(),
        }
    }

    /// Makes sure that what the scripts were told still holds, where they were told it.
    ///
    /// # Errors
    /// The connection leads to another server by now: whatever it answered counts for nothing.
    pub(super) async fn check_identity(&self, limit: Duration) -> Result<(), Failure> {
        if self.protection != Protection::Told {
            return Ok(());
        }
        let (server, seconds) = super::examine::read(&self.connection, limit).await?;
        if server.identity(seconds).as_deref() == Some(&self.identity) {
            return Ok(());
        }
        let reason = "the connection leads to another server than before";
        self.connection.end(reason);
        Err(Failure::Unanswered(reason.to_owned()))
    }
}
