use std::time::Duration;

/// How a [`SqliteStore`](super::SqliteStore) treats its file.
#[derive(Debug, Clone)]
pub struct SqliteOptions {
    /// Whether the file may lie on a network file system, whose locks its owner vouches for.
    pub allow_network_file: bool,
    /// How long a call may wait for its turn: for the other calls of this process, for the lock
    /// file, and again for programs that hold the database itself.
    pub busy_timeout: Duration,
}
