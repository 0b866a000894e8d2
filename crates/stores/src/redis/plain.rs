//! Reservations without scripts: `HSETNX` for the first, `HINCRBY` for all others.
//!
//! For servers that run no scripts, and only where that was agreed to. Each step is atomic and the
//! steps together are not: a seal that is set in between is missed once, and a server that lost
//! something is noticed by those alone who remember more.

use std::time::Duration;

use fred::types::Value;
use mintid_core::range::MAX_ID;
use mintid_core::{Error, Range};

use super::connection::Failure;
use super::counters::parse_counter;
use super::error::no_counter;
use super::reply::{shapeless, text};
use super::reserve::{Refusal, Reserved};
use super::session::Session;
use crate::grant::{self, Remembered};
use crate::range_store::{Granted, Raise, Reserve, StoreId};

/// What such a store is known by: there is no step that could write an id with the first counter.
const NO_ID: &str = "-";

pub(super) async fn reserve(
    store: &str,
    session: &Session,
    request: &Reserve,
    limit: Duration,
) -> Result<Reserved, Refusal> {
    if !request.may_create {
        return Err(Refusal::Judged(Error::config(
            "allowCreate",
            "false",
            "without scripts the server keeps no record of its generators: allow EVAL, or leave \
             allowCreate at true",
        )));
    }
    let key = request.key.as_str();
    let ask = |command, mut rest: Vec<Value>, field: &str| {
        let mut args = vec![Value::from(session.key.as_str()), field.into()];
        args.append(&mut rest);
        session.connection.call(command, args, limit)
    };
    let sealed = ask("HEXISTS", Vec::new(), &format!("#sealed:{key}")).await?;
    let found = ask("HGET", Vec::new(), key).await?;
    let value = match (&found, text(&found)) {
        (Value::Null, _) => None,
        (_, Some(text)) => Some(
            parse_counter(&text)
                .ok_or_else(|| Refusal::Judged(no_counter(store, &session.key, key, &text)))?,
        ),
        (other, None) => return Err(shapeless(other).into()),
    };
    let remembered = Remembered {
        value,
        sealed: sealed == Value::Integer(1),
        ..Remembered::default()
    };
    let unnamed = Reserve {
        store_id: None,
        ..request.clone()
    };
    let granted = grant::decide(store, &remembered, &unnamed, || StoreId::new(NO_ID))
        .map_err(Refusal::Judged)?;
    let last = granted.range.last();
    let reached = match value {
        // Only the first of many gets an answer of 1; the others count on from there.
        None if ask("HSETNX", vec![last.to_string().into()], key).await? == Value::Integer(1) => {
            last
        }
        // Added and not set: what others have reserved since the look stays reserved.
        _ => {
            let by = last - value.unwrap_or(0).min(last);
            let by = if value.is_some() { by } else { request.size };
            match ask("HINCRBY", vec![by.to_string().into()], key).await? {
                Value::Integer(reached) => u64::try_from(reached).unwrap_or(u64::MAX),
                other => return Err(shapeless(&other).into()),
            }
        }
    };
    grant_up_to(reached, granted, request)
}

/// What `HINCRBY` or `HSETNX` came to, as a range: its end is the fact.
fn grant_up_to(reached: u64, granted: Granted, request: &Reserve) -> Result<Reserved, Refusal> {
    if reached > request.max.min(MAX_ID) {
        return Err(Refusal::Judged(grant::exhausted(request, reached)));
    }
    let start = reached
        .checked_sub(request.size)
        .filter(|before| Some(*before) >= request.floor && before + 1 >= request.initial_offset)
        .ok_or_else(|| {
            Failure::Unanswered(format!(
                "the counter fell to {reached} as it was being raised"
            ))
        })?
        + 1;
    Ok(Reserved {
        granted: Granted {
            range: Range {
                start,
                end: reached + 1,
            },
            raised: granted.raised.map(|raise| Raise {
                to: start - 1,
                ..raise
            }),
            ..granted
        },
        identity: NO_ID.to_owned(),
        is_unproved: false,
    })
}
