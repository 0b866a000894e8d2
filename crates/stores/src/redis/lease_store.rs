use std::sync::Arc;
use std::time::Duration;

use mintid_core::Result;
use mintid_core::options::Durability;
use tokio::time::Instant;

use super::confirm::Assertion;
use super::connection::Failure;
use super::error::{told, unreachable};
use super::leases::{self, Manner, Question};
use super::reserve::Refusal;
use super::session::{COMMAND_LIMIT, Session};
use super::store::{ATTEMPTS, PATIENCE, RedisStore};
use super::way::Way;
use crate::lease_store::{
    Claim, Claimed, LeaseScope, LeaseStore, Machine, Release, Renew, Renewed,
};
use crate::range_store::Answer;

impl LeaseStore for RedisStore {
    fn claim(&self, request: Claim) -> Answer<'_, Claimed> {
        Box::pin(async move { self.lease(&request).await })
    }

    fn renew(&self, request: Renew) -> Answer<'_, Renewed> {
        Box::pin(async move { self.lease(&request).await })
    }

    fn release(&self, request: Release) -> Answer<'_, bool> {
        Box::pin(async move {
            // Whoever releases is on the way out, and the lease ends by itself.
            let session = self.lease_session(&request.scope, COMMAND_LIMIT).await?;
            leases::release(&self.name, &session, &request).await
        })
    }

    fn machines(&self, scope: LeaseScope) -> Answer<'_, Vec<Machine>> {
        Box::pin(async move {
            let session = self.lease_session(&scope, PATIENCE).await?;
            leases::machines(&self.name, &session, &scope).await
        })
    }

    fn free(&self, scope: LeaseScope, machine: u32) -> Answer<'_, bool> {
        Box::pin(async move {
            let session = self.lease_session(&scope, PATIENCE).await?;
            leases::free(&self.name, &session, &scope, machine).await
        })
    }
}

impl RedisStore {
    /// Asks for a lease, and again when no answer comes: whatever an attempt without an answer has
    /// written is the same owner's.
    async fn lease<Q: Question>(&self, question: &Q) -> Result<Q::Answer> {
        let began = Instant::now();
        let deadline = began + question.patience();
        let way = self.ways.to_leases(question.scope())?;
        let manner = self.manner();
        let mut last = None;
        for _ in 0..ATTEMPTS {
            let session = match way.link.session(deadline).await {
                Ok(session) => session,
                Err(error) => return Err(last.unwrap_or(error)),
            };
            let limit = COMMAND_LIMIT.min(deadline.saturating_duration_since(Instant::now()));
            let question = question.later(began.elapsed());
            let answered = match question.ask(&self.name, &session, manner, limit).await {
                Ok((answer, assertion)) => self
                    .prove_lease(&way, assertion, &session, deadline)
                    .await
                    .map(|()| answer)
                    .map_err(Refusal::Failed),
                Err(refusal) => Err(refusal),
            };
            match answered {
                Ok(answer) => return Ok(answer),
                Err(Refusal::Failed(
                    failure @ (Failure::Unanswered(_) | Failure::Redirected(_)),
                )) => last = Some(told(&self.name, &failure)),
                Err(refusal) => return Err(refusal.into_error(&self.name)),
            }
        }
        Err(last.unwrap_or_else(|| unreachable(&self.name, "no answer")))
    }

    /// Proves a lease where that was demanded, before anybody may mint by it.
    async fn prove_lease(
        &self,
        way: &Way,
        assertion: Option<Assertion>,
        session: &Session,
        deadline: Instant,
    ) -> Result<(), Failure> {
        match assertion {
            Some(assertion) if self.options.durability != Durability::None => {
                way.confirmer.confirm(assertion, session, deadline).await
            }
            _ => Ok(()),
        }
    }

    /// The connection that the leases of `scope` have.
    async fn lease_session(&self, scope: &LeaseScope, limit: Duration) -> Result<Arc<Session>> {
        let way = self.ways.to_leases(scope)?;
        way.link.session(Instant::now() + limit).await
    }

    fn manner(&self) -> Manner {
        Manner {
            is_durable: self.options.durability != Durability::None,
            expires: self.expires_fields,
        }
    }
}
