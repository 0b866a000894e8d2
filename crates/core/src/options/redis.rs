//! What a Redis has to offer: options with words of their own.

use super::kind::Kind;
use crate::error::{Error, Result};

/// The most replicas that can be asked for.
const MOST_REPLICAS: u64 = 100;

/// What has to be proved of a range before it is served.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// Nothing: what a restart or a promotion may have lost is leapt over.
    #[default]
    None,
    /// That it is on the server's disk.
    Disk,
    /// That so many replicas have it.
    Replicas(u64),
}

impl Durability {
    /// Reads `none`, `disk` or `replicas:N`.
    ///
    /// # Errors
    /// [`Code::ConfigInvalid`](crate::Code::ConfigInvalid) for anything else.
    pub fn new(text: &str) -> Result<Self> {
        let replicas = |count: &str| {
            let count = count.parse().ok()?;
            (1..=MOST_REPLICAS)
                .contains(&count)
                .then_some(Self::Replicas(count))
        };
        match text {
            "none" => Some(Self::None),
            "disk" => Some(Self::Disk),
            _ => text.strip_prefix("replicas:").and_then(replicas),
        }
        .ok_or_else(|| Error::config("durability", text, Kind::Durability.expected()))
    }
}

impl std::fmt::Display for Durability {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Disk => f.write_str("disk"),
            Self::Replicas(count) => write!(f, "replicas:{count}"),
        }
    }
}

/// Whether a server has to tell who it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Identity {
    /// It has to.
    #[default]
    Server,
    /// It need not.
    None,
}

impl Identity {
    /// The words, as users write them.
    pub const WORDS: &'static [&'static str] = &["server", "none"];

    /// Reads a word.
    ///
    /// # Errors
    /// [`Code::ConfigInvalid`](crate::Code::ConfigInvalid) for any other.
    pub fn new(text: &str) -> Result<Self> {
        match text {
            "server" => Ok(Self::Server),
            "none" => Ok(Self::None),
            _ => Err(Error::config(
                "identity",
                text,
                Kind::Choice(Self::WORDS).expected(),
            )),
        }
    }

    /// The word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Server => "server",
            Self::None => "none",
        }
    }
}

/// What a TLS server is known by, and what it is shown, in PEM.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct TlsOptions {
    /// The authorities that may have issued the server's certificate.
    pub ca: Option<String>,
    /// The certificate of this client.
    pub cert: Option<String>,
    /// Its private key.
    pub key: Option<String>,
    /// The name that the server's certificate has to hold, where that is not the host.
    pub servername: Option<String>,
}

/// Without the private key.
impl std::fmt::Debug for TlsOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TlsOptions")
            .field("ca", &self.ca.is_some())
            .field("cert", &self.cert.is_some())
            .field("servername", &self.servername)
            .finish_non_exhaustive()
    }
}
