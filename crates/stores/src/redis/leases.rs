//! Leases of machine ids on one connection: asks, and turns answers into what callers are told.
//!
//! Two hashes belong to a scope. `sfid` has the owner of each machine id, in fields that end by
//! themselves where the server can do that; `{sfid}:meta` has the records, which decide, and what
//! holds for the table as a whole.

use std::collections::BTreeMap;
use std::time::Duration;

use mintid_core::Result;

use super::confirm::{Assertion, Subject};
use super::connection::Failure;
use super::error::{refused, told};
use super::reply::Reply;
use super::reserve::{Refusal, unusable};
use super::script::{CLAIM, FREE, MACHINES, RELEASE, RENEW, Script};
use super::session::{COMMAND_LIMIT, Protection, Session};
use crate::lease_grant::{self, LeaseRecord, Search, Standing, millis};
use crate::lease_store::{Claim, Claimed, LeaseScope, Machine, Release, Renew, Renewed};

/// How a store treats its leases.
#[derive(Debug, Clone, Copy)]
pub(super) struct Manner {
    /// Whether what is written is proved before anybody believes it.
    pub(super) is_durable: bool,
    /// Whether fields are given an end, where the server can do that.
    pub(super) expires: bool,
}

/// What was answered, and what proves it.
pub(super) type Answered<T> = std::result::Result<(T, Option<Assertion>), Refusal>;

/// What a server is asked, as often as it takes until an answer comes.
pub(super) trait Question: Sync + Sized {
    type Answer: Send;

    fn scope(&self) -> &LeaseScope;

    fn patience(&self) -> Duration;

    /// The same question after it has waited for a connection.
    fn later(&self, waited: Duration) -> Self;

    fn ask(
        &self,
        store: &str,
        session: &Session,
        manner: Manner,
        limit: Duration,
    ) -> impl Future<Output = Answered<Self::Answer>> + Send;
}

impl Question for Claim {
    type Answer = Claimed;

    fn scope(&self) -> &LeaseScope {
        &self.scope
    }

    fn patience(&self) -> Duration {
        self.patience
    }

    fn later(&self, waited: Duration) -> Self {
        Claim::later(self, waited)
    }

    fn ask(
        &self,
        store: &str,
        session: &Session,
        manner: Manner,
        limit: Duration,
    ) -> impl Future<Output = Answered<Claimed>> + Send {
        claim(store, session, manner, self, limit)
    }
}

impl Question for Renew {
    type Answer = Renewed;

    fn scope(&self) -> &LeaseScope {
        &self.scope
    }

    fn patience(&self) -> Duration {
        self.patience
    }

    fn later(&self, waited: Duration) -> Self {
        Renew::later(self, waited)
    }

    fn ask(
        &self,
        store: &str,
        session: &Session,
        manner: Manner,
        limit: Duration,
    ) -> impl Future<Output = Answered<Renewed>> + Send {
        renew(store, session, manner, self, limit)
    }
}

async fn claim(
    store: &str,
    session: &Session,
    manner: Manner,
    request: &Claim,
    limit: Duration,
) -> Answered<Claimed> {
    lease_grant::check_machines(request).map_err(Refusal::Judged)?;
    let args = claim_args(session, manner, request);
    let reply = run(store, session, &CLAIM, &request.scope, &args, limit).await?;
    session.check_identity(limit).await?;
    if reply.word() == "claimed" {
        let claimed = Claimed {
            machine: machine(&reply, 1)?,
            former_ceiling_ms: reply.number(2)?,
            ceiling_ms: reply.number(3)?,
            store_now_ms: reply.number(4)?,
            waits_for_table: reply.get(5) == Some("1"),
        };
        let assertion = assertion(
            &request.scope,
            claimed.machine,
            request.owner.as_str(),
            reply.get(6),
        );
        return Ok((claimed, Some(assertion)));
    }
    let found = reply.get(1).unwrap_or_default();
    let error = match reply.word() {
        "mismatch" => lease_grant::mismatch(store, found, request),
        "missing" => lease_grant::missing(store, request),
        "clock" => lease_grant::clock_off(store, request, reply.number(1)?),
        "full" => {
            let count = |index| {
                let count = reply.number(index)?;
                u32::try_from(count).map_err(|_| reply.shapeless())
            };
            let search = Search {
                own: None,
                holder: found.to_owned(),
                ahead: count(2)?,
                unreadable: count(3)?,
                foreign: count(4)?,
            };
            lease_grant::exhausted(store, request, &search)
        }
        _ => return Err(unexpected(store, session, &reply)),
    };
    Err(Refusal::Judged(error))
}

async fn renew(
    store: &str,
    session: &Session,
    manner: Manner,
    request: &Renew,
    limit: Duration,
) -> Answered<Renewed> {
    let args = renew_args(session, manner, request);
    let reply = run(store, session, &RENEW, &request.scope, &args, limit).await?;
    session.check_identity(limit).await?;
    let by = || reply.get(1).unwrap_or_default().to_owned();
    match reply.word() {
        "held" => {
            let renewed = Renewed::Held {
                ceiling_ms: reply.number(1)?,
                store_now_ms: reply.number(2)?,
            };
            let owner = request.owner.as_str();
            let assertion = assertion(&request.scope, request.machine, owner, reply.get(3));
            Ok((renewed, Some(assertion)))
        }
        "taken" => Ok((Renewed::Taken { by: by() }, None)),
        "wiped" => {
            let store_now_ms = reply.number(1)?;
            Ok((Renewed::Wiped { store_now_ms }, None))
        }
        "unreadable" => Err(Refusal::Judged(lease_grant::unreadable(
            store,
            &request.scope,
            request.machine,
            &by(),
        ))),
        _ => Err(unexpected(store, session, &reply)),
    }
}

/// What `claim.lua` is given.
pub(super) fn claim_args(session: &Session, manner: Manner, request: &Claim) -> Vec<String> {
    let (lowest, highest) = request.machines;
    vec![
        request.owner.as_str().to_owned(),
        lease_grant::terms(request),
        flag(request.may_create),
        flag(request.first_start),
        flag(manner.is_durable),
        flag(manner.expires),
        session.identity.clone(),
        lowest.to_string(),
        highest.to_string(),
        lease_grant::first_candidate(request).to_string(),
        millis(request.ttl).to_string(),
        millis(request.max_clock_skew).to_string(),
        millis(request.failover_window).to_string(),
        request.now_ms.to_string(),
        request.layout.unit().ms().to_string(),
        request.layout.epoch_ms().to_string(),
    ]
}

/// What `renew.lua` is given.
pub(super) fn renew_args(session: &Session, manner: Manner, request: &Renew) -> Vec<String> {
    vec![
        request.machine.to_string(),
        request.owner.as_str().to_owned(),
        flag(manner.is_durable),
        flag(manner.expires),
        session.identity.clone(),
        millis(request.ttl).to_string(),
        millis(request.max_clock_skew).to_string(),
        request.now_ms.to_string(),
        request.layout.unit().ms().to_string(),
        request.layout.epoch_ms().to_string(),
    ]
}

/// Gives a machine id back.
pub(super) async fn release(store: &str, session: &Session, request: &Release) -> Result<bool> {
    let args = release_args(request);
    let machine = request.machine;
    end(store, session, &RELEASE, &request.scope, machine, &args).await
}

/// What `release.lua` is given.
pub(super) fn release_args(request: &Release) -> Vec<String> {
    vec![
        request.machine.to_string(),
        request.owner.as_str().to_owned(),
        lease_grant::last_ms(request).to_string(),
    ]
}

/// Frees a machine id by force.
pub(super) async fn free(
    store: &str,
    session: &Session,
    scope: &LeaseScope,
    machine: u32,
) -> Result<bool> {
    let args = [machine.to_string()];
    end(store, session, &FREE, scope, machine, &args).await
}

async fn end(
    store: &str,
    session: &Session,
    script: &Script,
    scope: &LeaseScope,
    machine: u32,
    args: &[String],
) -> Result<bool> {
    let reply = run(store, session, script, scope, args, COMMAND_LIMIT)
        .await
        .map_err(|refusal| refusal.into_error(store))?;
    match reply.word() {
        "released" => Ok(true),
        "kept" => Ok(false),
        "unreadable" => {
            let found = reply.get(1).unwrap_or_default();
            Err(lease_grant::unreadable(store, scope, machine, found))
        }
        _ => Err(told(store, &reply.shapeless())),
    }
}

/// All machine ids of which something is kept.
pub(super) async fn machines(
    store: &str,
    session: &Session,
    scope: &LeaseScope,
) -> Result<Vec<Machine>> {
    let reply = run(store, session, &MACHINES, scope, &[], COMMAND_LIMIT)
        .await
        .map_err(|refusal| refusal.into_error(store))?;
    let failed = |failure: Failure| told(store, &failure);
    let now_ms = reply.number(1).map_err(failed)?;
    let fields = reply.number(2).map_err(failed)?;
    let (fields, records) = reply.pairs_after(3, fields).map_err(failed)?;
    let mut standings: BTreeMap<u32, Standing> = BTreeMap::new();
    for (id, record) in records {
        let Ok(id) = id.parse() else { continue };
        let standing = match LeaseRecord::parse(record) {
            Some(record) => Standing::Recorded(record),
            None => Standing::Unreadable(record.to_owned()),
        };
        standings.insert(id, standing);
    }
    for (id, owner) in fields {
        let Ok(id) = id.parse() else { continue };
        let is_ours = match standings.get(&id) {
            Some(Standing::Recorded(record)) => record.owner == *owner,
            Some(Standing::Unreadable(_)) => true,
            _ => false,
        };
        if !is_ours {
            standings.insert(id, Standing::Foreign(owner.to_string()));
        }
    }
    standings
        .into_iter()
        .filter_map(|(id, standing)| {
            lease_grant::shown(store, standing, scope, id, now_ms).transpose()
        })
        .collect()
}

/// Runs a script on the two hashes of `scope`.
pub(super) async fn run(
    store: &str,
    session: &Session,
    script: &Script,
    scope: &LeaseScope,
    args: &[String],
    limit: Duration,
) -> std::result::Result<Reply, Refusal> {
    if session.protection == Protection::Plain {
        return Err(Refusal::Judged(refused(
            store,
            "machine ids are leased by scripts, and this server runs none: allow EVAL and EVALSHA",
        )));
    }
    let keys = [scope.as_str(), &scope.meta()];
    let args: Vec<_> = args.iter().map(String::as_str).collect();
    Ok(script.run(&session.connection, &keys, &args, limit).await?)
}

/// What proves that `owner` holds a machine id.
fn assertion(scope: &LeaseScope, machine: u32, owner: &str, identity: Option<&str>) -> Assertion {
    Assertion {
        subject: Subject::Lease {
            scope: scope.clone(),
            machine,
            owner: owner.to_owned(),
        },
        identity: identity.unwrap_or("-").to_owned(),
    }
}

fn machine(reply: &Reply, index: usize) -> std::result::Result<u32, Failure> {
    u32::try_from(reply.number(index)?).map_err(|_| reply.shapeless())
}

fn unexpected(store: &str, session: &Session, reply: &Reply) -> Refusal {
    match unusable(store, reply.word(), reply.get(1)) {
        Some(error) => {
            session.connection.end("the server is not what it was");
            Refusal::Judged(error)
        }
        None => Refusal::Failed(reply.shapeless()),
    }
}

fn flag(holds: bool) -> String {
    u8::from(holds).to_string()
}
