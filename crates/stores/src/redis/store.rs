use std::sync::Arc;
use std::time::Duration;

use mintid_core::options::Durability;
use mintid_core::{Error, Key, Result};
use parking_lot::Mutex;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::{Instant, timeout_at};

use super::address::RedisAddress;
use super::confirm::{self, Assertion, Subject};
use super::connection::Failure;
use super::error::{told, unreachable};
use super::options::RedisOptions;
use super::reserve::{Refusal, Reserved, reserve};
use super::session::{COMMAND_LIMIT, Session};
use super::way::Ways;
use super::{counters, diagnosis};
use crate::lease_store::LeaseStore;
use crate::range_store::{Answer, Counter, Diagnosis, Granted, RangeStore, Reserve};

/// How long nothing may be heard of a server that is asked, before another connection is made.
pub(super) const SILENCE: Duration = Duration::from_millis(500);

/// How often one reservation or lease is asked for when no answer comes.
pub(super) const ATTEMPTS: u32 = 3;

/// How many reservations are on their way at once. The others wait in the order in which they came.
const MOST_IN_FLIGHT: usize = 32;

/// How long what is no reservation may take.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);

/// Ranges and leases from Redis, Valkey or Kvrocks.
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
    pub(super) name: String,
    pub(super) options: RedisOptions,
    pub(super) ways: Ways,
    in_flight: Semaphore,
    /// Why the last reservation was not answered, if it was not.
    last_silence: Mutex<Option<Error>>,
    /// Whether fields are given an end. Tests switch it off to have both kinds of clients.
    pub(super) expires_fields: bool,
}

impl RedisStore {
    /// The store at `address`.
    ///
    /// # Errors
    /// `CONFIG_INVALID` for TLS options that cannot be used.
    pub fn new(address: &RedisAddress, options: RedisOptions) -> Result<Self> {
        Ok(Self {
            name: address.to_string(),
            ways: Ways::new(address, &options)?,
            in_flight: Semaphore::new(MOST_IN_FLIGHT),
            last_silence: Mutex::default(),
            options,
            expires_fields: true,
        })
    }

    /// The same store as a client without fields that end: for tests.
    #[cfg(test)]
    pub(super) fn without_field_expiry(self) -> Self {
        Self {
            expires_fields: false,
            ..self
        }
    }

    /// The connection that counters have.
    async fn session(&self, deadline: Instant) -> Result<Arc<Session>> {
        self.ways.counters.link.session(deadline).await
    }

    /// Reserves, and asks again when no answer comes: whatever an attempt without an answer was
    /// granted stays a gap.
    async fn reserve_within(&self, request: &Reserve, deadline: Instant) -> Result<Granted> {
        let mut last = None;
        for _ in 0..ATTEMPTS {
            let session = match self.session(deadline).await {
                Ok(session) => session,
                Err(error) => return Err(last.unwrap_or(error)),
            };
            let reserved = {
                // Given up before a proof is waited for, which may take a second.
                let _turn = self.turn(deadline).await?;
                let limit = COMMAND_LIMIT.min(deadline.saturating_duration_since(Instant::now()));
                let can_prove = self.ways.counters.confirmer.can_prove(&session);
                reserve(&self.name, &session, request, can_prove, limit).await
            };
            match reserved {
                Ok(reserved) => match self.prove(&reserved, request, &session, deadline).await {
                    Ok(()) => return Ok(reserved.granted),
                    Err(failure) => {
                        let silence = told(&self.name, &failure);
                        *self.last_silence.lock() = Some(silence.clone());
                        last = Some(silence);
                    }
                },
                Err(Refusal::Failed(
                    failure @ (Failure::Unanswered(_) | Failure::Redirected(_)),
                )) => last = Some(told(&self.name, &failure)),
                Err(refusal) => return Err(refusal.into_error(&self.name)),
            }
        }
        Err(last.unwrap_or_else(|| unreachable(&self.name, "no answer")))
    }

    /// Waits for one of the places on the way to the server.
    async fn turn(&self, deadline: Instant) -> Result<SemaphorePermit<'_>> {
        let Ok(turn) = timeout_at(deadline, self.in_flight.acquire()).await else {
            return Err(self.trouble().unwrap_or_else(|| {
                unreachable(&self.name, "other reservations were before this one")
            }));
        };
        turn.map_err(|_| Error::Closed {
            name: self.name.clone(),
        })
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
        let assertion = Assertion {
            subject: Subject::Counter {
                key: request.key.to_string(),
                granted_to: reserved.granted.range.last().to_string(),
            },
            identity: reserved.identity.clone(),
        };
        let confirmer = &self.ways.counters.confirmer;
        if confirmer.can_prove(session) {
            // Whoever has to go before the answer comes is told what it waited for.
            let reason = "what was granted is not on disk or on a replica yet";
            *self.last_silence.lock() = Some(unreachable(&self.name, reason));
        }
        confirmer
            .confirm(assertion.clone(), session, deadline)
            .await?;
        if reserved.is_unproved {
            confirm::note(session, &assertion).await;
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
        let (did, assertion) = written;
        if let Some(assertion) = assertion
            && self.options.durability != Durability::None
        {
            let confirmer = &self.ways.counters.confirmer;
            let proved = confirmer.confirm(assertion, session, deadline).await;
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
        Box::pin(async {
            let deadline = deadline();
            let mut last = None;
            while Instant::now() < deadline {
                let session = match self.session(deadline).await {
                    Ok(session) => session,
                    Err(error) => return Err(last.unwrap_or(error)),
                };
                // It may have been connected long ago, and not answer any more.
                let answer = session.connection.call("PING", Vec::new(), COMMAND_LIMIT);
                match answer.await {
                    Ok(_) => return Ok(()),
                    Err(failure) => last = Some(told(&self.name, &failure)),
                }
            }
            Err(last.unwrap_or_else(|| unreachable(&self.name, "no answer")))
        })
    }

    fn reserve(&self, request: Reserve) -> Answer<'_, Granted> {
        Box::pin(async move {
            let deadline = Instant::now() + request.patience;
            let reserved = self.reserve_within(&request, deadline).await;
            *self.last_silence.lock() = match &reserved {
                Err(silence @ Error::Unreachable { .. }) => Some(silence.clone()),
                _ => None,
            };
            reserved
        })
    }

    fn seal(&self, key: Key) -> Answer<'_, bool> {
        Box::pin(async move {
            let deadline = deadline();
            let session = self.session(deadline).await?;
            let written = counters::seal(&self.name, &session, &key).await?;
            self.settle(&session, written, deadline).await
        })
    }

    fn list(&self, prefix: String) -> Answer<'_, Vec<Counter>> {
        Box::pin(async move {
            let session = self.session(deadline()).await?;
            counters::list(&self.name, &session, &prefix).await
        })
    }

    fn floor(&self, key: Key, value: u64) -> Answer<'_, bool> {
        Box::pin(async move {
            let deadline = deadline();
            let session = self.session(deadline).await?;
            let written = counters::floor(&self.name, &session, &key, value).await?;
            self.settle(&session, written, deadline).await
        })
    }

    fn leases(&self) -> Option<&dyn LeaseStore> {
        Some(self)
    }

    fn diagnose(&self) -> Answer<'_, Diagnosis> {
        Box::pin(diagnosis::diagnose(
            &self.name,
            &self.ways.counters.target,
            &self.options,
        ))
    }

    fn trouble(&self) -> Option<Error> {
        let trouble = self.ways.counters.link.trouble();
        trouble.or_else(|| self.last_silence.lock().clone())
    }

    fn connections(&self) -> u64 {
        self.ways.counters.link.connections()
    }

    fn reconnected(&self, seen: u64) -> Answer<'_, ()> {
        Box::pin(async move {
            self.ways.counters.link.reconnected(seen).await;
            Ok(())
        })
    }

    fn close(&self) -> Answer<'_, ()> {
        Box::pin(async {
            self.in_flight.close();
            self.ways.close();
            Ok(())
        })
    }
}
