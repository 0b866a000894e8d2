use mintid_core::options::{Durability, TlsOptions};

/// How a [`RedisStore`](super::RedisStore) treats its server.
#[derive(Debug, Clone)]
pub struct RedisOptions {
    /// The hash that holds the counters.
    pub key: String,
    /// What has to be known of a range before it is served.
    pub durability: Durability,
    /// Whether a server may be used that evicts keys as it likes.
    pub accept_loss: bool,
    /// Whether the server has to be told apart from every other. Without it a restart that lost
    /// something is noticed only by those who remember more.
    pub needs_identity: bool,
    /// What a `rediss://` server is known by, and what this process shows it.
    pub tls: Option<TlsOptions>,
}
