use std::sync::{Arc, OnceLock};
use std::time::Duration;

use mintid_core::options::Durability;
use mintid_core::{Error, Key, Result};
use tokio::sync::Semaphore;
use tokio::time::{Instant, timeout_at};

use super::address::RedisAddress;
use super::confirm::{self, Claim, Confirmer};
use super::connection::{Failure, Target};
use super::error::{told, unreachable};
use super::link::Link;
use super::options::RedisOptions;
use super::reserve::{Refusal, Reserved, reserve};
use super::session::{COMMAND_LIMIT, Session};
use super::{counters, diagnosis};
use crate::range_store::{Answer, Counter, Diagnosis, Granted, RangeStore, Reserve};

/// How long nothing may be heard of a server that is asked, before another connection is made.
const SILENCE: Duration = Duration::from_millis(500);

/// How often one reservation is asked for when no answer comes.
const ATTEMPTS: u32 = 3;

/// How many reservations are on their way at once. The others wait in the order in which they came.
const MOST_IN_FLIGHT: usize = 32;

/// How long what is no reservation may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Ranges from Redis, Valkey or Kvrocks.
///
/// Nothing is connected before the first call. From then on a connection that is lost is made
/// again in the background, until the store is closed or dropped. Calls must run on a tokio
/// runtime with IO and time enabled.
///
/// ```
/// use mintid_core::options::Durability;
/// use mintid_stores::RangeStore;
/// use mintid_stores::redis::{RedisAddress, RedisOptions, RedisStore};
///
/// let address = RedisAddress::parse("redis://app:secret@localhost:6379/1").expect("a URL");
/// let options = RedisOptions {
///     key: "kvid".to_owned(),
///     durability: Durability::None,
///     accept_loss: false,
///     needs_identity: true,
///     tls: None,
/// };
/// let store = RedisStore::new(&address, options)?;
/// assert_eq!(store.name(), "redis://app@localhost:6379/1");
/// # Ok::<(), mintid_core::Error>(())
/// ```
#[derive(Debug)]
pub struct RedisStore {
    name: String,
    target: Target,
    options: RedisOptions,
    link: Link,
    confirmer: Confirmer,
    in_flight: Semaphore,
}

impl RedisStore {
    /// The store at `address`.
    ///
    /// # Errors
    /// `CONFIG_INVALID` for TLS options that cannot be used.
    pub fn new(address: &RedisAddress, options: RedisOptions) -> Result<Self> {
        let name = address.to_string();
        let target = |silence| {
            Target::new(address, &options, silence).map_err(|(part, reason)| {
                Error::config("tls", part, format!("{reason}: expected PEM"))
            })
        };
        let least = Arc::new(OnceLock::new());
        let link = |target: Target| Link::new(target, &name, options.clone(), Arc::clone(&least));
        let link_to_confirm = link(target(confirm::SILENCE)?);
        Ok(Self {
            target: target(SILENCE)?,
            link: link(target(SILENCE)?),
            confirmer: Confirmer::new(link_to_confirm, options.durability),
            in_flight: Semaphore::new(MOST_IN_FLIGHT),
            options,
            name,
        })
    }

    /// Reserves, and asks again when no answer comes: whatever an attempt without an answer was
    /// granted stays a gap.
    async fn reserve_within(&self, request: &Reserve, deadline: Instant) -> Result<Granted> {
        let mut last = None;
        for _ in 0..ATTEMPTS {
            let session = match self.link.session(deadline).await {
                Ok(session) => session,
                Err(error) => return Err(last.unwrap_or(error)),
            };
            let limit = COMMAND_LIMIT.min(deadline.saturating_duration_since(Instant::now()));
            match reserve(&self.name, &session, request, limit).await {
                Ok(reserved) => match self.prove(&reserved, request, &session, deadline).await {
                    Ok(()) => return Ok(reserved.granted),
                    Err(failure) => last = Some(told(&self.name, &failure)),
                },
                Err(Refusal::Failed(
                    failure @ (Failure::Unanswered(_) | Failure::Redirected(_)),
                )) => last = Some(told(&self.name, &failure)),
                Err(refusal) => return Err(refusal.into_error(&self.name)),
            }
        }
        Err(last.unwrap_or_else(|| unreachable(&self.name, "no answer")))
    }

    /// Proves a range that has to be, before anybody may have it.
    async fn prove(
        &self,
        reserved: &Reserved,
        request: &Reserve,
        session: &Session,
        deadline: Instant,
    ) -> Result<(), Failure> {
        if self.options.durability == Durability::None && !reserved.is_unproved {
            return Ok(());
        }
        let claim = Claim {
            key: request.key.to_string(),
            granted_to: reserved.granted.range.last().to_string(),
            identity: reserved.identity.clone(),
        };
        self.confirmer
            .confirm(claim.clone(), session, deadline)
            .await?;
        if reserved.is_unproved {
            confirm::note(session, &claim).await;
        }
        Ok(())
    }

    /// Proves what was written beside a grant, where that was demanded.
    async fn settle(
        &self,
        session: &Session,
        written: counters::Written,
        deadline: Instant,
    ) -> Result<bool> {
        let (did, claim) = written;
        if let Some(claim) = claim
            && self.options.durability != Durability::None
        {
            let proved = self.confirmer.confirm(claim, session, deadline).await;
            proved.map_err(|failure| told(&self.name, &failure))?;
        }
        Ok(did)
    }
}

/// When a call that begins now has to be over.
fn deadline() -> Instant {
    Instant::now() + PATIENCE
}

impl RangeStore for RedisStore {
    fn name(&self) -> &str {
        &self.name
    }

    fn connect(&self) -> Answer<'_, ()> {
        Box::pin(async { self.link.session(deadline()).await.map(drop) })
    }

    fn reserve(&self, request: Reserve) -> Answer<'_, Granted> {
        Box::pin(async move {
            let deadline = Instant::now() + request.patience;
            let Ok(turn) = timeout_at(deadline, self.in_flight.acquire()).await else {
                return Err(self.trouble().unwrap_or_else(|| {
                    unreachable(&self.name, "other reservations were before this one")
                }));
            };
            let _turn = turn.map_err(|_| Error::Closed {
                name: self.name.clone(),
            })?;
            self.reserve_within(&request, deadline).await
        })
    }

    fn seal(&self, key: Key) -> Answer<'_, bool> {
        Box::pin(async move {
            let deadline = deadline();
            let session = self.link.session(deadline).await?;
            let written = counters::seal(&self.name, &session, &key).await?;
            self.settle(&session, written, deadline).await
        })
    }

    fn list(&self, prefix: String) -> Answer<'_, Vec<Counter>> {
        Box::pin(async move {
            let session = self.link.session(deadline()).await?;
            counters::list(&self.name, &session, &prefix).await
        })
    }

    fn floor(&self, key: Key, value: u64) -> Answer<'_, bool> {
        Box::pin(async move {
            let deadline = deadline();
            let session = self.link.session(deadline).await?;
            let written = counters::floor(&self.name, &session, &key, value).await?;
            self.settle(&session, written, deadline).await
        })
    }

    fn diagnose(&self) -> Answer<'_, Diagnosis> {
        Box::pin(diagnosis::diagnose(&self.name, &self.target, &self.options))
    }

    fn trouble(&self) -> Option<Error> {
        self.link.trouble()
    }

    fn connections(&self) -> u64 {
        self.link.connections()
    }

    fn reconnected(&self, seen: u64) -> Answer<'_, ()> {
        Box::pin(async move {
            self.link.reconnected(seen).await;
            Ok(())
        })
    }

    fn close(&self) -> Answer<'_, ()> {
        Box::pin(async {
            self.in_flight.close();
            self.link.close();
            self.confirmer.close();
            Ok(())
        })
    }
}
