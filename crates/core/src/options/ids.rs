//! The options of a store: what a user gave, and the checked plan made of it.

use std::time::Duration;

use super::redis::{Durability, Identity, TlsOptions};
use super::segment::SegmentPlan;
use super::table::{OptionSpec, Scope};
use super::value::{Secret, Value, admit, check_bounds};
use crate::error::{Error, Result};
use crate::name::Namespace;

/// The least jump of a counter that has 63 bits to go.
const LEAST_JUMP: u64 = 1 << 24;
/// Below this, ids are counted on to stay short.
const SHORT_IDS: u64 = 1 << 53;

/// More than anybody names a hash, and little enough for a message.
const MOST_KEY_BYTES: usize = 512;

/// What a user gave; everything may be left out.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct IdsOptions {
    /// Keeps the generators of one application apart from another's.
    pub namespace: Option<String>,
    /// Whether a generator that the store does not know may be created.
    pub allow_create: Option<bool>,
    /// Whether a counter that went back is raised and served again.
    pub repair: Option<bool>,
    /// How far above the highest id seen it is raised, at least.
    pub jump: Option<u64>,
    /// How long `ready` waits for the store.
    pub connect_timeout: Option<Duration>,
    /// Whether a file may lie on a network file system.
    pub allow_network_file: Option<bool>,
    /// The Redis hash that holds the counters.
    pub key: Option<String>,
    /// What Redis has to prove before a range is served.
    pub durability: Option<Durability>,
    /// Whether a Redis may be used that evicts any key.
    pub accept_loss: Option<bool>,
    /// Whether a Redis has to tell who it is.
    pub identity: Option<Identity>,
    /// The user of Redis.
    pub username: Option<String>,
    /// The password of Redis.
    pub password: Option<String>,
    /// The database of Redis.
    pub database: Option<u64>,
    /// How a server is known, and what it is shown.
    pub tls: Option<TlsOptions>,
}

/// A checked set of options with every default filled in. The namespace is no part of it: stores
/// are shared by namespaces.
#[derive(Debug, Clone, PartialEq)]
pub struct IdsPlan {
    /// Whether a generator that the store does not know may be created.
    pub allow_create: bool,
    /// Whether a counter that went back is raised and served again.
    pub repair: bool,
    /// How long `ready` waits for the store.
    pub connect_timeout: Duration,
    /// Whether a file may lie on a network file system.
    pub allow_network_file: bool,
    /// The Redis hash that holds the counters.
    pub key: String,
    /// What Redis has to prove before a range is served.
    pub durability: Durability,
    /// Whether a Redis may be used that evicts any key.
    pub accept_loss: bool,
    /// Whether a Redis has to tell who it is.
    pub identity: Identity,
    /// How a server is known, and what it is shown.
    pub tls: Option<TlsOptions>,
    /// The user of Redis.
    pub username: Option<String>,
    /// The password of Redis.
    pub password: Option<String>,
    /// The database of Redis.
    pub database: Option<u8>,
    jump: Option<u64>,
}

impl IdsOptions {
    /// The options that were given. The one list of the fields: checks and comparisons go by it.
    fn given(&self) -> impl Iterator<Item = (&'static OptionSpec, Value)> {
        [
            ("allowCreate", self.allow_create.map(Value::Flag)),
            ("repair", self.repair.map(Value::Flag)),
            ("jump", self.jump.map(Value::Number)),
            ("connectTimeout", self.connect_timeout.map(Value::Time)),
            ("allowNetworkFile", self.allow_network_file.map(Value::Flag)),
            ("key", self.key.clone().map(Value::Text)),
            (
                "durability",
                self.durability.map(|it| Value::Text(it.to_string())),
            ),
            ("acceptLoss", self.accept_loss.map(Value::Flag)),
            ("identity", self.identity.map(|it| Value::Word(it.as_str()))),
            ("username", self.username.clone().map(Value::Text)),
            (
                "password",
                self.password.clone().map(|it| Value::Secret(Secret(it))),
            ),
            ("database", self.database.map(Value::Number)),
            ("tls", self.tls.as_ref().map(secret)),
        ]
        .into_iter()
        .filter_map(|(name, value)| Some((OptionSpec::of(Scope::Ids, name), value?)))
    }

    /// Checks what was given and fills in the rest.
    ///
    /// # Errors
    /// [`Code::ConfigInvalid`](crate::Code::ConfigInvalid) naming the option, its value and what
    /// is accepted.
    pub fn plan(&self) -> Result<IdsPlan> {
        for (spec, value) in self.given() {
            check_bounds(spec, &value)?;
        }
        let row = |name| OptionSpec::of(Scope::Ids, name);
        Ok(IdsPlan {
            allow_create: self
                .allow_create
                .unwrap_or(row("allowCreate").default_flag()),
            repair: self.repair.unwrap_or(row("repair").default_flag()),
            connect_timeout: self.connect_timeout.unwrap_or(Duration::from_millis(
                row("connectTimeout").default_number(),
            )),
            allow_network_file: self
                .allow_network_file
                .unwrap_or(row("allowNetworkFile").default_flag()),
            key: self.hash_key()?,
            durability: self.durability.unwrap_or_default(),
            accept_loss: self.accept_loss.unwrap_or(row("acceptLoss").default_flag()),
            identity: self.identity.unwrap_or_default(),
            tls: self.tls.clone(),
            username: self.username.clone(),
            password: self.password.clone(),
            database: self
                .database
                .map(|number| u8::try_from(number).expect("the bounds were checked")),
            jump: self.jump,
        })
    }

    fn hash_key(&self) -> Result<String> {
        let row = OptionSpec::of(Scope::Ids, "key");
        let key = self.key.clone();
        let key = key.unwrap_or_else(|| row.fallback.to_string());
        if key.is_empty() || key.len() > MOST_KEY_BYTES {
            let expected = format!("expected 1 to {MOST_KEY_BYTES} bytes");
            return Err(Error::config("key", format_args!("{key:?}"), expected));
        }
        Ok(key)
    }

    /// The namespace, checked.
    ///
    /// # Errors
    /// [`Code::ConfigInvalid`](crate::Code::ConfigInvalid) saying what is wrong with it.
    pub fn namespace(&self) -> Result<Namespace> {
        self.namespace
            .as_ref()
            .map_or(Ok(Namespace::default()), Namespace::new)
    }
}

/// Compared as a whole, and never shown: it holds a private key.
fn secret(tls: &TlsOptions) -> Value {
    let TlsOptions {
        ca,
        cert,
        key,
        servername,
    } = tls;
    Value::Secret(Secret(format!("{:?}", (ca, cert, key, servername))))
}

impl IdsPlan {
    /// Checks that another user of the same store wants nothing else; what it left out matches
    /// anything.
    ///
    /// # Errors
    /// [`Code::ConfigInvalid`](crate::Code::ConfigInvalid) naming the option and both values.
    pub fn admit(&self, other: &IdsOptions) -> Result<()> {
        let in_force = IdsOptions {
            namespace: None,
            allow_create: Some(self.allow_create),
            repair: Some(self.repair),
            jump: self.jump,
            connect_timeout: Some(self.connect_timeout),
            allow_network_file: Some(self.allow_network_file),
            key: Some(self.key.clone()),
            durability: Some(self.durability),
            accept_loss: Some(self.accept_loss),
            identity: Some(self.identity),
            username: self.username.clone(),
            password: self.password.clone(),
            database: self.database.map(u64::from),
            tls: self.tls.clone(),
        };
        admit(in_force.given(), other.given())
    }

    /// The smallest leap above the highest id seen, for a generator that asks for `size` ids.
    ///
    /// Other processes may have seen more of the lost counter than this one, and ids that they
    /// hand out must not be met: so the leap is long where there is room.
    pub fn jump(&self, plan: &SegmentPlan, size: u64) -> u64 {
        self.jump.unwrap_or_else(|| {
            if plan.max < SHORT_IDS {
                size.saturating_mul(64)
            } else {
                plan.policy.most().saturating_mul(16).max(LEAST_JUMP)
            }
        })
    }
}
