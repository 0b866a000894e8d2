//! One reservation on one connection: asks, and turns the answer into what callers are told.

use std::time::Duration;

use mintid_core::range::MAX_ID;
use mintid_core::{Error, Range};

use super::connection::Failure;
use super::error::{no_counter, refused, told};
use super::reply::Reply;
use super::script::RESERVE;
use super::session::{Protection, Session};
use super::{error, plain};
use crate::grant;
use crate::range_store::{Granted, Raise, Reserve, StoreId};

/// What a server granted, which is not believed yet.
#[derive(Debug)]
pub(super) struct Reserved {
    pub(super) granted: Granted,
    /// Who granted it, as the script saw it.
    pub(super) identity: String,
    /// Whether it lies above a leap of the counter that nobody has proved yet. A server that
    /// forgets the leap forgets the reason for it, and another leap may land where this one did.
    pub(super) is_unproved: bool,
}

/// Why a reservation gave nothing.
#[derive(Debug)]
pub(super) enum Refusal {
    /// The connection failed: the range, if there was one, is a gap.
    Failed(Failure),
    /// A judgement, which another attempt does not change.
    Judged(Error),
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl Refusal {
    pub(super) fn into_error(self, store: &str) -> Error {
        match self {
            Self::Failed(failure) => told(store, &failure),
            Self::Judged(error) => error,
        }
    }
}

/// Reserves by the script, or by plain commands where there are none.
pub(super) async fn reserve(
    store: &str,
    session: &Session,
    request: &Reserve,
    can_prove: bool,
    limit: Duration,
) -> Result<Reserved, Refusal> {
    if session.protection == Protection::Plain {
        return plain::reserve(store, session, request, limit).await;
    }
    let decimal = |value: u64| value.to_string();
    let given = |value: Option<u64>| value.map_or(String::new(), |value| value.to_string());
    let store_id = request.store_id.as_ref().map_or("", StoreId::as_str);
    let fresh_id = StoreId::fresh();
    let args = [
        request.key.as_str(),
        &decimal(request.size),
        &decimal(request.initial_offset.saturating_sub(1)),
        &decimal(request.max.min(MAX_ID)),
        &given(request.floor),
        &given(request.raise_to.filter(|_| request.floor.is_some())),
        if request.may_create { "1" } else { "0" },
        store_id,
        fresh_id.as_str(),
        request.record.as_str(),
        &decimal(request.jump),
        // Drawn for each attempt: two leaps from one lost state are not to meet.
        &format!("{:.9}", fastrand::f64()),
        &session.identity,
        // A leap that nothing can prove is not marked as one that is still to be.
        if can_prove { "1" } else { "0" },
    ];
    let reply = RESERVE
        .run(&session.connection, &[&session.key], &args, limit)
        .await
        .map_err(|failure| error::on_key(failure, &session.key))?;
    session.check_identity(limit).await?;
    if reply.word() == "granted" {
        return Ok(granted(request, &reply)?);
    }
    Err(judged(store, session, request, &reply))
}

fn granted(request: &Reserve, reply: &Reply) -> Result<Reserved, Failure> {
    let last = reply.number(1)?;
    let flags = reply.get(4).unwrap_or_default();
    let has = |flag: char| flags.contains(flag);
    let before = reply.get(5).map_or(Ok(0), |_| reply.number(5))?;
    let start = last
        .checked_sub(request.size)
        .map(|before| before + 1)
        .ok_or_else(|| reply.shapeless())?;
    let jumped = has('J')
        .then(|| {
            Ok::<_, Failure>(Raise {
                from: reply.number(6)?,
                to: reply.number(7)?,
            })
        })
        .transpose()?;
    let raised = has('R')
        .then(|| {
            Ok::<_, Failure>(Raise {
                from: before,
                to: reply.number(8)?,
            })
        })
        .transpose()?;
    Ok(Reserved {
        granted: Granted {
            range: Range {
                start,
                end: last + 1,
            },
            store_id: StoreId::new(reply.get(3).ok_or_else(|| reply.shapeless())?),
            created: has('C'),
            new_store: reply.get(9) == Some("1") && request.store_id.is_none(),
            raised,
            jumped,
        },
        identity: reply.get(2).unwrap_or("-").to_owned(),
        is_unproved: has('U'),
    })
}

/// What the script refused, in the words that all stores have for it.
fn judged(store: &str, session: &Session, request: &Reserve, reply: &Reply) -> Refusal {
    let key = request.key.as_str();
    let found = reply.get(1);
    let error = match reply.word() {
        "sealed" => grant::sealed(key),
        "no counter" => no_counter(store, &session.key, key, found.unwrap_or_default()),
        "replaced" => grant::replaced(store, found.unwrap_or_default(), request),
        "lost" => grant::lost_id(store, request),
        "mismatch" => {
            let recorded = found.unwrap_or_default().split('|').next();
            grant::mismatch(store, recorded.unwrap_or_default(), request)
        }
        "missing" => grant::missing(store, key),
        "deleted" => grant::deleted(store, key),
        "went back" => grant::went_back(store, found.and_then(|text| text.parse().ok()), request),
        "exhausted" => {
            let last = found.and_then(|text| text.parse().ok());
            grant::exhausted(request, last.unwrap_or(u64::MAX))
        }
        other => match unusable(store, other, found) {
            Some(error) => error,
            None => return Refusal::Failed(reply.shapeless()),
        },
    };
    if matches!(reply.word(), "no master" | "blind") {
        session.connection.end("the server is not what it was");
    }
    Refusal::Judged(error)
}

/// Why no script does anything on this server.
pub(super) fn unusable(store: &str, word: &str, found: Option<&str>) -> Option<Error> {
    match word {
        "no master" => Some(refused(
            store,
            &format!(
                "the server is a {} and no master",
                found.unwrap_or("replica")
            ),
        )),
        "blind" => Some(error::refused(
            store,
            "the server no longer tells scripts who it is: allow INFO",
        )),
        _ => None,
    }
}
