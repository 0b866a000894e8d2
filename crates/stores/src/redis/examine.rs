//! The look at a server that every new connection begins with.

use std::time::Duration;

use fred::types::Value;
use mintid_core::options::Durability;
use mintid_core::{Error, Result};

use super::connection::{Connection, Failure};
use super::error::{on_key, refused, told};
use super::options::RedisOptions;
use super::reply;
use super::script::PROBE;
use super::server::ServerInfo;
use super::session::{COMMAND_LIMIT, Protection, Session};
use super::target::Target;

/// What a server is asked to be.
#[derive(Debug, Clone)]
pub(super) struct Demands {
    pub(super) store: String,
    pub(super) options: RedisOptions,
    /// What the process began with.
    pub(super) least: Option<Protection>,
}

/// Why there is no session.
#[derive(Debug, Clone)]
pub(super) struct Setback {
    pub(super) error: Error,
    /// Whether the other side said no. Otherwise it said nothing, and may yet.
    pub(super) is_answer: bool,
}

impl Setback {
    fn of(store: &str, failure: &Failure) -> Self {
        Self {
            error: told(store, failure),
            is_answer: !matches!(failure, Failure::Unanswered(_) | Failure::Redirected(_)),
        }
    }
}

impl From<Error> for Setback {
    fn from(error: Error) -> Self {
        Self {
            error,
            is_answer: true,
        }
    }
}

/// Connects, and looks whether the server is one that can be trusted with counters.
///
/// # Errors
/// A server that does not answer, refuses, or is not what is demanded: `CONFIG_INVALID` where it
/// was so from the beginning, and something that may pass where it came later.
pub(super) async fn open(target: &Target, demands: &Demands) -> Result<Session, Setback> {
    let store = demands.store.as_str();
    let failed = |failure: Failure| Setback::of(store, &failure);
    let connection = Connection::open(target).await.map_err(failed)?;
    let (server, _) = read(&connection, COMMAND_LIMIT)
        .await
        .or_else(|failure| match failure {
            // Forbidden to this user, or cut out of the server.
            Failure::Refused(text) if is_forbidden(&text) => Ok((ServerInfo::default(), 0)),
            other => Err(other),
        })
        .map_err(failed)?;
    check_role(store, &server)?;
    demands.check(&server)?;
    check_ttl(&connection, target, store).await?;
    demands.check_durability(&connection, &server).await?;
    let (protection, identity) = protection(&connection, target, &server, store).await?;
    demands.check_protection(protection)?;
    Ok(Session::new(
        connection, target, protection, identity, server,
    ))
}

/// Reads what the server tells of itself, and the second by its clock.
pub(super) async fn read(
    connection: &Connection,
    limit: Duration,
) -> Result<(ServerInfo, u64), Failure> {
    let time = connection.call("TIME", Vec::new(), limit).await?;
    let seconds = match &time {
        Value::Array(parts) => parts.first().and_then(reply::text),
        _ => None,
    };
    let seconds = seconds.and_then(|text| text.parse().ok());
    let seconds = seconds.ok_or_else(|| reply::shapeless(&time))?;
    let info = connection.call("INFO", Vec::new(), limit).await?;
    let text = reply::text(&info).ok_or_else(|| reply::shapeless(&info))?;
    Ok((ServerInfo::parse(&text), seconds))
}

/// Whether a command is refused to this user, or not there at all.
pub(super) fn is_forbidden(text: &str) -> bool {
    // A key that this user may not touch is another matter: no other way leads to it.
    text.starts_with("NOPERM") && !text.contains(" key") || is_unknown(text)
}

/// Whether the server has no such command.
pub(super) fn is_unknown(text: &str) -> bool {
    text.to_ascii_lowercase().contains("unknown command")
}

fn check_role(store: &str, server: &ServerInfo) -> Result<()> {
    if server.is_active_active {
        return Err(refused(
            store,
            "the server merges its writes with those of other masters, which no counter survives: \
             use one with a single master",
        ));
    }
    match server.role() {
        "master" | "unknown" => Ok(()),
        role => Err(refused(
            store,
            &format!("the server is a {role} and no master"),
        )),
    }
}

/// A hash that expires takes its counters with it.
async fn check_ttl(connection: &Connection, target: &Target, store: &str) -> Result<(), Setback> {
    let key = vec![Value::from(target.key.as_str())];
    match connection.call("TTL", key, COMMAND_LIMIT).await {
        Ok(Value::Integer(seconds)) if seconds >= 0 => Err(refused(
            store,
            &format!(
                "the hash {} expires in {seconds} s and takes its counters with it: PERSIST {0}",
                target.key
            ),
        )
        .into()),
        Ok(_) => Ok(()),
        Err(Failure::Refused(text)) if is_forbidden(&text) => Ok(()),
        Err(failure) => Err(Setback::of(store, &failure)),
    }
}

/// How well this server protects, and what scripts have to be told of it.
async fn protection(
    connection: &Connection,
    target: &Target,
    server: &ServerInfo,
    store: &str,
) -> Result<(Protection, String), Setback> {
    let probed = PROBE
        .run(connection, &[&target.key], &[], COMMAND_LIMIT)
        .await;
    let probed = match probed {
        Ok(reply) => reply,
        Err(Failure::Refused(text)) if is_forbidden(&text) => {
            return Ok((Protection::Plain, "-".to_owned()));
        }
        Err(failure) => return Err(Setback::of(store, &on_key(failure, &target.key))),
    };
    if probed.get(0).is_some() {
        return Ok((Protection::Script, String::new()));
    }
    let seconds = probed
        .number(2)
        .map_err(|failure| Setback::of(store, &failure))?;
    Ok(match server.identity(seconds) {
        Some(identity) => (Protection::Told, identity),
        None => (Protection::Unidentified, "-".to_owned()),
    })
}

impl Demands {
    fn check(&self, server: &ServerInfo) -> Result<()> {
        if let Some(policy) = server.evicts_anything()
            && !self.options.accept_loss
        {
            return Err(self.unmet(
                "acceptLoss",
                "false",
                format!(
                    "the server evicts any key when its memory is full (maxmemory-policy {policy}), \
                     counters too: set noeviction or volatile-*, or acceptLoss: true"
                ),
            ));
        }
        Ok(())
    }

    /// Whether the server can do what proves a range, asked for nothing.
    async fn check_durability(
        &self,
        connection: &Connection,
        server: &ServerInfo,
    ) -> Result<(), Setback> {
        let (command, args) = match self.options.durability {
            Durability::None => return Ok(()),
            Durability::Replicas(wanted) if server.replicas() < wanted => {
                return Err(refused(
                    &self.store,
                    &format!(
                        "durability asks for {wanted} replicas, and the server has {}",
                        server.replicas()
                    ),
                )
                .into());
            }
            Durability::Replicas(_) => ("WAIT", vec![0.into(), 1.into()]),
            Durability::Disk => ("WAITAOF", vec![1.into(), 0.into(), 1.into()]),
        };
        match connection.call(command, args, COMMAND_LIMIT).await {
            Ok(_) => Ok(()),
            Err(Failure::Refused(text)) => Err(self
                .unmet(
                    "durability",
                    &self.options.durability.to_string(),
                    format!(
                        "the server cannot do it ({text}): for disk it needs WAITAOF (Redis 7.2, \
                     Valkey 7.2) and appendonly yes, for replicas WAIT"
                    ),
                )
                .into()),
            Err(failure) => Err(Setback::of(&self.store, &failure)),
        }
    }

    fn check_protection(&self, found: Protection) -> Result<()> {
        if let Some(least) = self.least
            && found < least
        {
            return Err(refused(
                &self.store,
                &format!(
                    "the server protects less than the one this process began with ({} there, {} \
                     here), and is not used: give the user the same rights on every server",
                    least.as_str(),
                    found.as_str()
                ),
            ));
        }
        if self.options.needs_identity && found < Protection::Told {
            return Err(self.unmet(
                "identity",
                "server",
                format!(
                    "a restart that loses something could not be noticed here ({}): allow EVAL, \
                     EVALSHA and INFO, or set identity: \"none\" and rely on the memory of running \
                     processes",
                    found.as_str()
                ),
            ));
        }
        Ok(())
    }

    /// From the beginning it is a matter of configuration; later it is one server of several.
    fn unmet(&self, option: &str, value: &str, expected: String) -> Error {
        if self.least.is_none() {
            Error::config(option, value, expected)
        } else {
            refused(&self.store, &format!("{option} = {value}: {expected}"))
        }
    }
}
